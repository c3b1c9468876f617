import postgres from "postgres";
import { DatabaseError } from "../database.ts";
import type { ConnectionUrl } from "./url.ts";
import { isOutdated } from "../stale-statement.ts";
import { decodeValue, KNOWN_TYPES } from "../values.ts";

const CONNECT_TIMEOUT_S = 5;

/**
 * One connection to a server, from its first statement until it is lost; then every statement fails, and another link takes
 * its place. A pool of `postgres`, which connects again by itself, is not safe for transactions: what a lost one still sends
 * can reach the connection's next transaction, or none, or a closed socket, and what the lost connection leaves behind can
 * fail the first statement of the next, or wait for ever.
 */
export interface Link {
  /** Sends a statement with values in Postgres's text form, or a script where `values` is null. Fails with a `DatabaseError`. */
  send(text: string, values: readonly (string | null)[] | null): Promise<postgres.RowList<postgres.Row[]>>;
  /** The server's process, once it has answered. */
  readonly pid: number | undefined;
  /** Sends nothing more, and leaves when what was sent is answered or after a second. */
  end(): Promise<void>;
}

export interface LinkHooks {
  onNotify?: (channel: string, payload: string) => void;
  onLost?: () => void;
}

/** Makes a link, which connects when it is first used. */
export function createLink(target: ConnectionUrl, { onNotify, onLost }: LinkHooks = {}): Link {
  const unanswered = new Set<postgres.PendingQuery<postgres.Row[]>>();
  let pid: number | undefined;
  let lost: DatabaseError | undefined;

  const options = {
    ssl: target.ssl,
    prepare: target.prepare,
    types: TYPES,
    // What a hosted project's sessions and the embedded database's are set to.
    connection: { TimeZone: "UTC", DateStyle: "ISO, MDY" },
    max: 1,
    fetch_types: false,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: CONNECT_TIMEOUT_S,
    backoff: () => 0,
    onnotice: () => undefined,
    onnotify: onNotify,
    onclose() {
      // `postgres` would connect again to send what still waits, outside of any transaction.
      for (const query of unanswered) query.cancel();
      lose(lostError());
    },
  };
  const sql = postgres(target.url, options);

  function lose(reason: DatabaseError): void {
    if (lost) return;
    lost = reason;
    void sql.end({ timeout: 0 });
    onLost?.();
  }

  return {
    async send(text, values) {
      if (lost) throw lost;
      const query = values
        ? sql.unsafe<postgres.Row[]>(text, [...values], { ...EXTENDED, prepare: target.prepare })
        : sql.unsafe<postgres.Row[]>(text);
      unanswered.add(query);
      try {
        const result = await query;
        pid = result.state.pid;
        return result;
      } catch (error) {
        const failure = toDatabaseError(error);
        // What fails before anything was answered was refused by the server, which then closes the connection.
        if (failure && (failure.code === "08006" || pid === undefined)) lose(failure);
        throw lost ?? failure ?? error;
      } finally {
        unanswered.delete(query);
      }
    },
    get pid() {
      return pid;
    },
    end: () => sql.end({ timeout: 1 }),
  };
}

// Without it, a statement without values would travel as a script and could hold several statements.
const EXTENDED = { simple: false };

// Values are sent as the text they are given as: what `postgres` would do to one of a known type, as JSON.stringify for
// a string meant for `jsonb`, is left out.
const TYPES = Object.fromEntries(
  KNOWN_TYPES.map((type) => [
    type,
    { to: type, from: [type], serialize: (value: unknown) => value, parse: (text: string) => decodeValue(type, text) },
  ]),
);

// `postgres` sends a statement again by itself when certain routines of the server refuse it. By then the transaction may be
// over, and with it the role it ran as: it must not learn the routine.
const routines = new WeakMap<object, string>();
Object.defineProperty(postgres.PostgresError.prototype, "routine", {
  get: () => undefined,
  set(this: object, routine: string) {
    routines.set(this, routine);
  },
});

function toDatabaseError(error: unknown): DatabaseError | undefined {
  if (error instanceof postgres.PostgresError) {
    const { message, code, detail, hint, position, constraint_name: constraint } = error;
    // Shutting down, crashed, starting up: to whoever asked, a server that is not there.
    const isAway = code === "57P01" || code === "57P02" || code === "57P03";
    return new DatabaseError(message, {
      code: isAway ? "08006" : code,
      detail: detail ?? null,
      hint: hint ?? null,
      position: position === undefined ? null : Number(position),
      constraint: constraint ?? null,
      outdated: isOutdated({ code, routine: routines.get(error) }),
      cause: error,
    });
  }
  // Of Node's network or of `postgres` itself, which gives its connection failures codes too.
  return error instanceof Error && "code" in error ? lostError(error) : undefined;
}

function lostError(cause?: Error): DatabaseError {
  const message = cause ? `The database server cannot be reached: ${cause.message}` : "The connection to the database server was lost.";
  return new DatabaseError(message, { code: "08006", cause });
}
