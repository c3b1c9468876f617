import type { Identity } from "../identity.ts";
import type { Database, Transaction, TransactionOptions } from "./database.ts";

/** What SQL may ask of the request it serves, through `current_setting('request.…')` as in PostgREST. */
export interface RequestInfo {
  method: string;
  path: string;
  headers: Record<string, string>;
}

// The order of PostgREST's PreQuery: the role first, so that every later setting is made with the user's rights.
const SETTINGS = `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
  set_config('request.method', $3, true), set_config('request.path', $4, true), set_config('request.headers', $5, true)`;

/** Runs `work` in one transaction with the identity's role and claims: the only way a user's request reaches the database. */
export function asIdentity<T>(
  database: Database,
  identity: Identity,
  request: RequestInfo,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  return database.transaction(async (tx) => {
    // Sent, not awaited, so that it shares a round trip with the first statement; its failure aborts the transaction.
    const settings = tx.query(SETTINGS, [
      identity.role,
      JSON.stringify(identity.claims),
      request.method,
      request.path,
      JSON.stringify(request.headers),
    ]);
    const [result] = await Promise.allSettled([work(tx), settings]);
    await settings;
    if (result.status === "rejected") throw result.reason;
    return result.value;
  }, options);
}
