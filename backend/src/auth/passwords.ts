import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, hashSync, verify } from "@node-rs/argon2";

/** What one argon2id hash costs: KiB of memory, passes, lanes. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** Everything that happens to passwords. */
export interface Passwords {
  /** Hashes with argon2id and a fresh salt. */
  hash(password: string): Promise<string>;
  /** Says whether the password made the hash; without a usable hash it takes the same time and says no. */
  verify(stored: string | null, password: string): Promise<boolean>;
}

/** The parameters of OWASP's Password Storage Cheat Sheet for argon2id. */
export const OWASP_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Makes the only place that hashes: on worker threads, and on so few at once that other work keeps its share. */
export function createPasswords(cost: PasswordCost): Passwords {
  const decoy = hashSync(randomBytes(16), cost);
  // The pool these run on also signs tokens and reads files; one core stays free for that.
  const oneOfFew = limitConcurrency(Math.max(1, availableParallelism() - 1));
  return {
    hash: (password) => oneOfFew(() => hash(password, cost)),
    verify: (stored, password) => {
      const usable = stored?.startsWith("$argon2") ? stored : undefined;
      return oneOfFew(async () => (await verify(usable ?? decoy, password)) && usable !== undefined);
    },
  };
}

/** Makes a function that runs work at most `limit` at once, in order of arrival. */
function limitConcurrency(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // A place is handed on, never given back while somebody waits for it.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
