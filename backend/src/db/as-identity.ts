import type { Identity } from "../identity.ts";
import type { Database, Transaction, TransactionOptions } from "./database.ts";

/** Facts about a request that SQL can read with `current_setting('request.…')`, as in PostgREST. */
export interface RequestInfo {
  method: string;
  path: string;
  headers: Record<string, string>;
}

type SettingName = "search_path" | "timezone" | "statement_timeout" | "storage.operation" | "storage.allow_delete_query" | "realtime.topic";
type Setting = readonly [name: SettingName, value: string];

export interface IdentityOptions extends Omit<TransactionOptions, "statementTimeoutMs"> {
  /** Settings for this transaction, made after the role and claims and with the privileges of the role. */
  settings?: readonly Setting[];
  /** Shortens the statement timeout of the role. */
  maxStatementMs?: number;
}

/**
 * Runs `work` in one transaction with the caller's role, claims and statement timeout; the only way a user's request reaches
 * the database.
 */
export function asIdentity<T>(
  database: Database,
  identity: Identity,
  request: RequestInfo,
  work: (tx: Transaction, begun: Promise<unknown>) => Promise<T>,
  { settings = [], maxStatementMs, ...options }: IdentityOptions = {},
): Promise<T> {
  const { method, path, headers } = request;
  const cookies = headers["cookie"] === undefined ? "{}" : JSON.stringify(parseCookies(headers["cookie"]));
  const statementTimeoutMs = maxStatementMs ?? STATEMENT_TIMEOUTS_MS.get(identity.role);
  // PGlite ignores this setting; its driver measures the time.
  const made = database.kind === "pglite" ? settings : [...settings, ["statement_timeout", String(statementTimeoutMs ?? 0)] as const];
  const text = settingsSql(made.map(([name]) => name));
  const claims = JSON.stringify(identity.claims);
  const values = [identity.role, claims, method, path, JSON.stringify(headers), cookies, ...made.map(([, value]) => value)];
  const run = async (tx: Transaction): Promise<T> => {
    // Sent, not awaited, so that it shares a round trip with the first statement. If it fails, the transaction is aborted.
    const set = tx.query(text, values);
    const [result] = await Promise.allSettled([work(tx, set), set]);
    await set;
    if (result.status === "rejected") throw result.reason;
    return result.value;
  };
  return database.transaction(run, statementTimeoutMs === undefined ? options : { ...options, statementTimeoutMs });
}

// As in PostgREST's PreQuery.hs, the role is first, so that all other settings are made with the caller's privileges.
const NAMES = ["role", "request.jwt.claims", "request.method", "request.path", "request.headers", "request.cookies"];

// PostgREST connects as authenticator; we may be connected as a superuser, which can take any role, and "none" would leave it
// in place. The check is not a query of its own, which would cost a fifth of a small read. set_config refuses unknown roles.
const ROLE = `case when $1::text = 'none' or pg_has_role('authenticator', to_regrole(quote_ident($1)), 'member') is false
  then auth.refuse_role($1) else $1 end`;

const settingsSql = createSettingsSql();

/** Caches the text for each list of settings: there are few, and building and hashing a long text for every request takes time. */
function createSettingsSql(): (more: readonly SettingName[]) => string {
  const texts = new Map<string, string>();
  return (more) => {
    const key = more.join();
    const known = texts.get(key);
    if (known !== undefined) return known;
    // Arguments are evaluated in order, and num_nulls returns one number instead of all settings.
    const calls = [...NAMES, ...more].map((name, index) => `set_config('${name}', ${index === 0 ? ROLE : `$${index + 1}`}, true)`);
    const text = `select num_nulls(${calls.join(", ")})`;
    texts.set(key, text);
    return text;
  };
}

// As on hosted projects.
const STATEMENT_TIMEOUTS_MS: ReadonlyMap<string, number> = new Map([
  ["anon", 3000],
  ["authenticated", 8000],
]);

/** Parses a `Cookie` header (RFC 6265, 4.2.1) as PostgREST does: values are not decoded. */
function parseCookies(header: string): Record<string, string> {
  const pairs = header.split(";").map((pair): [string, string] => {
    const [name = "", ...value] = pair.trim().split("=");
    return [name, value.join("=")];
  });
  return Object.fromEntries(pairs.filter(([name]) => name !== ""));
}
