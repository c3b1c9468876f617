import { ANONYMOUS_STATEMENT_MS, type DatabaseBudget } from "../anonymous/database-budget.ts";
import { createAnonymousTurns } from "../anonymous/turns.ts";
import { asIdentity, type IdentityOptions, type RequestInfo } from "../db/as-identity.ts";
import { DatabaseError, type Database, type Transaction } from "../db/database.ts";
import type { Identity } from "../identity.ts";
import * as SQLSTATE from "../sqlstates.ts";
import { RestError } from "./errors.ts";

/** The sender of a request. */
export interface Caller {
  identity: Identity;
  /** The client network of an anonymous caller from the network; null for all others. */
  network: string | null;
  signal: AbortSignal;
}

/** Runs work in one transaction as its caller; for an anonymous caller from the network in its turn and within its budget. */
export type AsCaller = <T>(
  caller: Caller,
  info: RequestInfo,
  work: (tx: Transaction) => Promise<T>,
  options: Omit<IdentityOptions, "signal" | "maxStatementMs" | "mayGrowMemory">,
) => Promise<T>;

/** The embedded database runs one statement at a time. On a server, some of the ten connections stay free for everybody else. */
const CONCURRENT = { pglite: { fast: 1, others: 1 }, postgres: { fast: 4, others: 2 } };

/** Creates the function that runs all statements of requests (docs/decisions/005-statement-timeouts.md). */
export function createAsCaller(database: Database, budget: DatabaseBudget): AsCaller {
  const takeTurn = createAnonymousTurns(CONCURRENT[database.kind]);

  return async ({ identity, network, signal }, info, work, given) => {
    if (network === null) return asIdentity(database, identity, info, work, { ...given, signal });
    const options = { ...given, signal, maxStatementMs: ANONYMOUS_STATEMENT_MS, mayGrowMemory: false };
    const run = (onCost: (ms: number) => void) =>
      asIdentity(database, identity, info, (tx, begun) => budget.spend(network, { work: () => work(tx), begun }, onCost), options);
    const turn = takeTurn(budget.isFast(network), run, signal);
    return database.kind === "pglite" ? turn.catch(rethrowAsOverMemory) : turn;
  };
}

/** Names the limit of memory, which the embedded database reports as a lack of memory. */
function rethrowAsOverMemory(error: unknown): never {
  if (!(error instanceof DatabaseError) || error.code !== SQLSTATE.outOfMemory) throw error;
  throw new RestError(400, "over_memory", "This request takes more memory than an anonymous request may use.", {
    hint: "Read fewer rows or columns at once.",
    cause: error,
  });
}
