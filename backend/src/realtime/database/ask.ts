import { ANONYMOUS_STATEMENT_MS, type DatabaseBudget, OverBudgetError } from "../../anonymous/database-budget.ts";
import { createNetworkTurns } from "../../anonymous/turns.ts";
import { asIdentity, type RequestInfo } from "../../db/as-identity.ts";
import type { Database, Transaction } from "../../db/database.ts";
import type { Identity } from "../../identity.ts";
import { RealtimeError } from "../errors.ts";

/** The caller of a channel. */
export interface Caller extends Pick<Identity, "role" | "claims"> {
  /** The client network, which limits the work of anonymous callers; absent for work that no client began. */
  network?: string;
}

/** The request that SQL reads with `current_setting('request.…')`; a WebSocket has no other. */
const NO_REQUEST: RequestInfo = { method: "GET", path: "/realtime/v1/websocket", headers: {} };

/** Longest time of a statement of one caller; a policy or pattern that takes longer hides the change. */
const STATEMENT_MS = 3000;

/** Anonymous clients' work that runs at the same time on a server. The embedded database runs one statement at a time. */
const CONCURRENT = 2;

/** Options of a transaction of a client. */
interface AskOptions {
  /** The topic that `realtime.topic()` returns. */
  topic?: string;
  /** Ends the wait for a turn. */
  signal?: AbortSignal;
}

/**
 * Runs `work` in a read-only transaction as a caller. Work of anonymous clients waits for its turn and is charged to the budget of their
 * network; over the budget it fails with a `RealtimeError`, after too long a wait with SQLSTATE 53300.
 */
export type Ask = <T>(caller: Caller, work: (tx: Transaction) => Promise<T>, options?: AskOptions) => Promise<T>;

/**
 * Creates the function through which the work of clients reaches the database; `budget` is shared with the other APIs, and
 * `statementMs` limits the statements of callers that have none.
 */
export function createAsk(database: Database, budget: DatabaseBudget, statementMs = STATEMENT_MS): Ask {
  const takeTurn = createNetworkTurns(database.kind === "pglite" ? 1 : CONCURRENT);

  return async function ask({ role, claims, network }, work, { topic, signal } = {}) {
    const identity = { role, claims, authenticated: true };
    const settings = topic === undefined ? [] : [["realtime.topic", topic] as const];
    if (role !== "anon" || network === undefined)
      return asIdentity(database, identity, NO_REQUEST, work, { readOnly: true, maxStatementMs: statementMs, settings });
    try {
      budget.check(network);
      return await takeTurn(
        network,
        (onCost) =>
          asIdentity(database, identity, NO_REQUEST, (tx, begun) => budget.spend(network, { work: () => work(tx), begun }, onCost), {
            readOnly: true,
            maxStatementMs: ANONYMOUS_STATEMENT_MS,
            settings,
          }),
        signal,
      );
    } catch (error) {
      if (error instanceof OverBudgetError) throw new RealtimeError("ClientJoinRateLimitReached", error.message);
      throw error;
    }
  };
}
