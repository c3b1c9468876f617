import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, hashSync, verify } from "@node-rs/argon2";
import * as bcrypt from "@node-rs/bcrypt";
import { createPool } from "../../db/pool.ts";

/** The cost of an argon2id hash: memory in KiB, passes, lanes. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** Hashes and verifies passwords. */
export interface Passwords {
  /** Hashes with argon2id and a fresh salt. */
  hash(password: string): Promise<string>;
  /** Returns true if the password matches; without a usable hash it takes the same time and returns false. */
  verify(stored: string | null, password: string): Promise<boolean>;
  /** Returns true if a hash has the current parameters; any other is replaced at the next sign-in. */
  isCurrent(stored: string): boolean;
}

/** The parameters of OWASP's Password Storage Cheat Sheet for argon2id. */
export const OWASP_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Creates the password hasher. It runs on worker threads with limited concurrency, so that other work is not delayed. */
export function createPasswords(cost: PasswordCost): Passwords {
  const decoy = hashSync(randomBytes(16), cost);
  const prefix = decoy.slice(0, decoy.indexOf("$", decoy.indexOf("p=")) + 1);
  // The thread pool also signs tokens and reads files; one core stays free for that.
  const slots = createPool(Array.from({ length: Math.max(1, availableParallelism() - 1) }, (_, index) => index));
  return {
    hash: (password) => slots.use(() => hash(password, cost)),
    verify: (stored, password) =>
      slots.use(async () => {
        if (stored?.startsWith("$argon2")) return verify(stored, password);
        // Imported from a hosted project; replaced at the first sign-in.
        if (stored && BCRYPT.test(stored)) return bcrypt.verify(password, stored);
        await verify(decoy, password);
        return false;
      }),
    isCurrent: (stored) => stored.startsWith(prefix),
  };
}

/** Returns true for a hash of a hosted project whose cost neither blocks a thread for seconds nor takes the memory of the machine. */
export function isAffordable(stored: string): boolean {
  const costs = ARGON2.exec(stored)?.slice(1).map(Number);
  if (!costs) return BCRYPT.test(stored);
  const [memory = 0, passes = 0, lanes = 0] = costs;
  return memory >= 8 * lanes && memory <= MAX_MEMORY_KIB && passes <= MAX_PASSES;
}

/** An encoded argon2 hash (PHC string format) with its memory in KiB, passes and lanes. */
const ARGON2 = /^\$argon2(?:id|i|d)\$v=19\$m=([1-9]\d{0,6}),t=([1-9]\d?),p=([1-9]\d?)\$[A-Za-z0-9+/]{11,}\$[A-Za-z0-9+/]{16,}$/;
const MAX_MEMORY_KIB = 128 * 1024;
const MAX_PASSES = 10;

const BCRYPT = /^\$2[abxy]\$(0[4-9]|1[0-5])\$[./A-Za-z0-9]{53}$/;
