import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { ConnectionOptions } from "node:tls";
import pg from "pg";
import { SQLSTATE } from "../../sqlstates.ts";
import { DatabaseError, type Row } from "../database.ts";
import { isStaleStatement } from "../stale-statement.ts";
import { decoderOf } from "../values.ts";
import type { ConnectionUrl } from "./url.ts";

const CONNECT_TIMEOUT_MS = 5000;
const END_TIMEOUT_MS = 1000;

export interface Result {
  rows: Row[];
  /** The last command, such as `COMMIT`. */
  command: string;
}

/** One connection to a server. When it is lost, all its statements fail; it does not reconnect. */
export interface Link {
  /**
   * Sends a statement with values in Postgres's text form, or a script if `values` is null. Statements run in the order in
   * which they are sent, without waiting for earlier results. Fails with a `DatabaseError`.
   */
  send(text: string, values: readonly (string | null)[] | null): Promise<Result>;
  /** The id of the server process, once connected. */
  readonly pid: number | undefined;
  /** The number of statements prepared on this connection. */
  readonly preparedCount: number;
  /** Closes the connection when all sent statements have results, or after a second. */
  end(): Promise<void>;
}

export interface LinkHooks {
  onNotify?: (channel: string, payload: string) => void;
  onLost?: () => void;
}

/** Creates a link, which connects on first use. */
export function createLink(target: ConnectionUrl, { onNotify, onLost }: LinkHooks = {}): Link {
  const names = new Map<string, string>();
  let socket = new Socket();
  let opening: Promise<pg.Client> | undefined;
  let client: pg.Client | undefined;
  let pid: number | undefined;
  let lost: DatabaseError | undefined;
  let corked = false;

  async function open(): Promise<pg.Client> {
    try {
      client = await connect(target.ssl === "prefer" ? { rejectUnauthorized: false } : target.ssl);
    } catch (error) {
      // As in libpq: without TLS if the server does not offer it.
      if (target.ssl !== "prefer" || error instanceof pg.DatabaseError) throw error;
      client = await connect(false);
    }
    return client;
  }

  async function connect(ssl: false | ConnectionOptions): Promise<pg.Client> {
    socket = new Socket();
    const stream = socket;
    const connecting = new pg.Client({
      connectionString: target.url,
      ssl,
      pipeline: true,
      stream: () => stream,
      types: { getTypeParser: (type: number) => decoderOf(type) },
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    // Every failure also rejects the statements or the attempt to connect.
    connecting.on("error", () => undefined);
    connecting.on("end", () => {
      if (client === connecting) lose(lostError());
    });
    connecting.on("notification", ({ channel, payload }) => onNotify?.(channel, payload ?? ""));
    await connecting.connect();
    if (target.prepare) {
      const script = "set timezone = 'UTC'; set datestyle = 'ISO, MDY'; select pg_backend_pid() as pid";
      pid = Number(lastOf(await connecting.query(script)).rows[0]?.["pid"]);
    }
    return connecting;
  }

  function lose(reason: DatabaseError): void {
    if (lost) return;
    lost = reason;
    socket.destroy();
    onLost?.();
  }

  /** Combines all statements that are sent at the same moment into one network packet. */
  function cork(): void {
    if (corked) return;
    const stream = socket;
    corked = true;
    stream.cork();
    queueMicrotask(() => {
      corked = false;
      stream.uncork();
    });
  }

  function nameOf(text: string): string {
    const name = names.get(text) ?? `s${names.size + 1}`;
    names.set(text, name);
    return name;
  }

  return {
    async send(text, values) {
      if (lost) throw lost;
      try {
        const connected = client ?? (await (opening ??= open()));
        cork();
        const statement = { text, values: [...(values ?? [])], queryMode: "extended" };
        const query = values === null ? text : target.prepare ? { ...statement, name: nameOf(text) } : statement;
        return lastOf(await connected.query(query));
      } catch (error) {
        const failure = toDatabaseError(error);
        if (failure.code === SQLSTATE.connectionFailure || !client) lose(failure);
        throw lost ?? failure;
      }
    },
    get pid() {
      return pid;
    },
    get preparedCount() {
      return names.size;
    },
    async end() {
      const opened = await opening?.catch(() => undefined);
      await Promise.race([opened?.end(), delay(END_TIMEOUT_MS, undefined, { ref: false })]);
      socket.destroy();
    },
  };
}

/** A script of several statements has a list of results. */
function lastOf(result: Result | Result[]): Result {
  return (Array.isArray(result) ? result.at(-1) : result) ?? { rows: [], command: "" };
}

function toDatabaseError(error: unknown): DatabaseError {
  if (!(error instanceof pg.DatabaseError)) return lostError(error);
  const { message, code = SQLSTATE.internalError, detail, hint, position, constraint, routine } = error;
  return new DatabaseError(message, {
    code: SERVER_AWAY.has(code) ? SQLSTATE.connectionFailure : code,
    detail: detail ?? null,
    hint: hint ?? null,
    position: position === undefined ? null : Number(position),
    constraint: constraint ?? null,
    stale: isStaleStatement({ code, routine }),
    cause: error,
  });
}

// Shutting down, crashed or starting up: the same as a server that cannot be reached.
const SERVER_AWAY: ReadonlySet<string> = new Set([SQLSTATE.adminShutdown, SQLSTATE.crashShutdown, SQLSTATE.cannotConnectNow]);

function lostError(cause?: unknown): DatabaseError {
  const reason =
    cause instanceof Error ? `The database server cannot be reached: ${cause.message}` : "The connection to the database server was lost.";
  return new DatabaseError(reason, { code: SQLSTATE.connectionFailure, cause });
}
