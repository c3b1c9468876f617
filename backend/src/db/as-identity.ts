import type { Identity } from "../identity.ts";
import type { Database, Transaction, TransactionOptions } from "./database.ts";

/** What SQL may ask of the request it serves, through `current_setting('request.…')` as in PostgREST. */
export interface RequestInfo {
  method: string;
  path: string;
  headers: Record<string, string>;
}

export interface IdentityOptions extends TransactionOptions {
  /** Postgres settings for this transaction, made after role and claims and with the role's rights. */
  settings?: readonly (readonly [name: string, value: string])[];
}

/** Runs `work` in one transaction with the identity's role and claims: the only way a user's request reaches the database. */
export function asIdentity<T>(
  database: Database,
  identity: Identity,
  request: RequestInfo,
  work: (tx: Transaction) => Promise<T>,
  options: IdentityOptions = {},
): Promise<T> {
  const { settings = [], ...transactionOptions } = options;
  const { method, path, headers } = request;
  const values = [identity.role, JSON.stringify(identity.claims), method, path, JSON.stringify(headers), ...settings.flat()];
  return database.transaction(async (tx) => {
    // Sent, not awaited, so that it shares a round trip with the first statement; its failure aborts the transaction.
    const set = tx.query(SETTINGS_SQL[settings.length] ?? settingsSql(settings.length), values);
    const [result] = await Promise.allSettled([work(tx), set]);
    await set;
    if (result.status === "rejected") throw result.reason;
    return result.value;
  }, transactionOptions);
}

// The order of PostgREST's PreQuery: the role first, so that every later setting is made with the user's rights.
const NAMES = ["role", "request.jwt.claims", "request.method", "request.path", "request.headers"];

// We may be connected as one who can take any role; PostgREST connects as authenticator. "none" would leave us who we are
// connected as. Asked without a query, which would cost a fifth of a small read; a role that does not exist is refused by the setting.
const ROLE = `case when $1::text = 'none' or pg_has_role('authenticator', to_regrole(quote_ident($1)), 'member') is false
  then auth.refuse_role($1) else $1 end`;

// Written once: as long as it is, a text made anew for every request is hashed anew by everyone who looks it up.
const SETTINGS_SQL = [0, 1, 2, 3].map(settingsSql);

// One text for each number of settings, so that it stays prepared. A function's arguments are computed in their order, and
// one number comes back where the settings themselves would.
function settingsSql(more: number): string {
  const own = NAMES.map((name, index) => `set_config('${name}', ${index === 0 ? ROLE : `$${index + 1}`}, true)`);
  const others = Array.from({ length: more }, (_, index) => {
    const place = NAMES.length + 2 * index + 1;
    return `set_config($${place}, $${place + 1}, true)`;
  });
  return `select num_nulls(${[...own, ...others].join(", ")})`;
}
