import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, hashSync, verify } from "@node-rs/argon2";
import * as bcrypt from "@node-rs/bcrypt";

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
  /** Says whether a hash was made as `hash` makes them now; any other is replaced at the next sign-in. */
  isCurrent(stored: string): boolean;
}

/** The parameters of OWASP's Password Storage Cheat Sheet for argon2id. */
export const OWASP_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Makes the only place that hashes: on worker threads, and on so few at once that other work keeps its share. */
export function createPasswords(cost: PasswordCost): Passwords {
  const decoy = hashSync(randomBytes(16), cost);
  const prefix = decoy.slice(0, decoy.indexOf("$", decoy.indexOf("p=")) + 1);
  // The pool these run on also signs tokens and reads files; one core stays free for that.
  const oneOfFew = limitConcurrency(Math.max(1, availableParallelism() - 1));
  return {
    hash: (password) => oneOfFew(() => hash(password, cost)),
    verify: (stored, password) =>
      oneOfFew(async () => {
        if (stored?.startsWith("$argon2")) return verify(stored, password);
        // Imported from a hosted project; replaced at the first sign-in.
        if (stored && BCRYPT.test(stored)) return bcrypt.verify(password, stored);
        await verify(decoy, password);
        return false;
      }),
    isCurrent: (stored) => stored.startsWith(prefix),
  };
}

/** A bcrypt hash of a cost that does not hold a thread for seconds. */
export const BCRYPT = /^\$2[abxy]\$(0[4-9]|1[0-5])\$[./A-Za-z0-9]{53}$/;

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
