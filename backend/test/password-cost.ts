import type { PasswordCost } from "../src/auth/accounts/passwords.ts";

/** The lowest cost of a password hash: tests of other topics need not wait for it. */
export const LOW_COST: PasswordCost = { memoryCost: 64, timeCost: 1, parallelism: 1 };
