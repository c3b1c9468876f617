import type { Identity } from "../identity.ts";
import type { Database, Transaction, TransactionOptions } from "./database.ts";
import { statementTimeoutOf } from "./statement-timeouts.ts";

/** What SQL may ask of the request it serves, through `current_setting('request.…')` as in PostgREST. */
export interface RequestInfo {
  method: string;
  path: string;
  headers: Record<string, string>;
}

type SettingName = "search_path" | "timezone" | "statement_timeout" | "storage.operation" | "storage.allow_delete_query";
type Setting = readonly [name: SettingName, value: string];

export interface IdentityOptions extends Omit<TransactionOptions, "statementTimeoutMs"> {
  /** Postgres settings for this transaction, made after role and claims and with the role's rights. */
  settings?: readonly Setting[];
}

/**
 * Runs `work` in one transaction with the identity's role and claims, and no statement of it longer than the role may: the
 * only way a user's request reaches the database.
 */
export function asIdentity<T>(
  database: Database,
  identity: Identity,
  request: RequestInfo,
  work: (tx: Transaction) => Promise<T>,
  { settings = [], ...options }: IdentityOptions = {},
): Promise<T> {
  const { method, path, headers } = request;
  const statementTimeoutMs = statementTimeoutOf(identity.role);
  // The embedded Postgres heeds no such setting, and is timed by its driver.
  const made = database.kind === "pglite" ? settings : [...settings, ["statement_timeout", String(statementTimeoutMs ?? 0)] as const];
  const text = settingsSql(made.map(([name]) => name));
  const values = [identity.role, JSON.stringify(identity.claims), method, path, JSON.stringify(headers), ...made.map(([, value]) => value)];
  const run = async (tx: Transaction): Promise<T> => {
    // Sent, not awaited, so that it shares a round trip with the first statement; its failure aborts the transaction.
    const set = tx.query(text, values);
    const [result] = await Promise.allSettled([work(tx), set]);
    await set;
    if (result.status === "rejected") throw result.reason;
    return result.value;
  };
  return database.transaction(run, statementTimeoutMs === undefined ? options : { ...options, statementTimeoutMs });
}

// The order of PostgREST's PreQuery: the role first, so that every later setting is made with the user's rights.
const NAMES = ["role", "request.jwt.claims", "request.method", "request.path", "request.headers"];

// We may be connected as one who can take any role; PostgREST connects as authenticator. "none" would leave us who we are
// connected as. Asked without a query, which would cost a fifth of a small read; a role that does not exist is refused by the setting.
const ROLE = `case when $1::text = 'none' or pg_has_role('authenticator', to_regrole(quote_ident($1)), 'member') is false
  then auth.refuse_role($1) else $1 end`;

// Written once for each list of settings, so that it stays prepared, and because a text as long as this takes time to hash.
const texts = new Map<string, string>();

function settingsSql(more: readonly SettingName[]): string {
  const key = more.join();
  const known = texts.get(key);
  if (known !== undefined) return known;
  // A function's arguments are computed in their order, and one number comes back where the settings themselves would.
  const made = [...NAMES, ...more].map((name, index) => `set_config('${name}', ${index === 0 ? ROLE : `$${index + 1}`}, true)`);
  const text = `select num_nulls(${made.join(", ")})`;
  texts.set(key, text);
  return text;
}
