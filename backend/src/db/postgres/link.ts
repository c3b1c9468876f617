import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { ConnectionOptions } from "node:tls";
import pg from "pg";
import * as SQLSTATE from "../../sqlstates.ts";
import { DatabaseError, type Row } from "../database.ts";
import { isStaleStatement } from "../stale-statement.ts";
import { decoderOf } from "../values.ts";
import type { ConnectionUrl, DatabaseHost } from "./url.ts";

const CONNECT_TIMEOUT_MS = 5000;
const END_TIMEOUT_MS = 1000;
// An idle connection whose packets are dropped is lost after ten more seconds: Node sends one probe a second.
const KEEP_ALIVE_DELAY_MS = 5000;

export interface Result {
  rows: Row[];
  /** The last command, such as `COMMIT`. */
  command: string;
}

/** One connection to a server. When it is lost, all its statements fail; it does not reconnect (decision 007). */
export interface Link {
  /** Connects, if it is not connected. Fails with a `DatabaseError`. */
  connect(): Promise<void>;
  /** True if a pooler may give each transaction another server connection; known once connected. */
  readonly isPooled: boolean;
  /**
   * Sends a statement with values in Postgres's text form, or a script if `values` is null. Statements run in the order in
   * which they are sent, without waiting for earlier results. Without a result in `timeoutMs`, the link is lost. Fails with a
   * `DatabaseError`.
   */
  send(text: string, values: readonly (string | null)[] | null, timeoutMs?: number): Promise<Result>;
  /** The id of the server process, once connected without a pooler. */
  readonly pid: number | undefined;
  /** The number of statements prepared on this connection. */
  readonly preparedCount: number;
  /** Closes the connection when all sent statements have results, or after a second. */
  end(): Promise<void>;
  /** Ends the connection at once, as if it were lost. */
  destroy(): void;
}

interface LinkHooks {
  onNotify?: (channel: string, payload: string) => void;
  onLost?: () => void;
}

// A pooler sends its clients a process id of its own, and keeps no settings for them between transactions.
const PREPARE_SESSION = `select pid <> $1::integer as pooled,
    case pid when $1::integer then num_nulls(set_config('timezone', 'UTC', false), set_config('datestyle', 'ISO, MDY', false)) end
  from pg_backend_pid() as pid`;

/** Creates a link, which connects on first use. */
export function createLink(target: ConnectionUrl, { onNotify, onLost }: LinkHooks = {}): Link {
  const names = new Map<string, string>();
  let socket = new Socket();
  let opening: Promise<pg.Client> | undefined;
  let client: pg.Client | undefined;
  let pid: number | undefined;
  let isPooled = !target.prepare;
  let lost: DatabaseError | undefined;
  let corked = false;

  async function open(): Promise<pg.Client> {
    const [only, ...others] = target.hosts;
    client = others.length === 0 && only ? await openHost(only) : await openPrimary();
    return client;
  }

  /** Connects to the first host that is no standby; as in libpq, a host that refuses the role is the last that is tried. */
  async function openPrimary(): Promise<pg.Client> {
    let failure: unknown;
    for (const host of target.hosts) {
      try {
        const opened = await openHost(host);
        if (!(await isStandby(opened))) return opened;
        await opened.end();
      } catch (error) {
        if (lost || (error instanceof pg.DatabaseError && !SERVER_AWAY.has(error.code ?? ""))) throw error;
        failure = error;
      }
    }
    throw failure ?? new Error("no host of DATABASE_URL is a primary");
  }

  async function openHost(host: DatabaseHost): Promise<pg.Client> {
    const started = performance.now();
    try {
      return await connect(host, host.ssl === "prefer" ? { rejectUnauthorized: false } : host.ssl);
    } catch (error) {
      // As in libpq: without TLS if the server does not offer it. A server that did not respond at all does not respond now.
      const hasResponded = performance.now() - started < CONNECT_TIMEOUT_MS;
      if (host.ssl !== "prefer" || error instanceof pg.DatabaseError || !hasResponded) throw error;
      return connect(host, false);
    }
  }

  async function connected(): Promise<pg.Client> {
    if (lost) throw lost;
    try {
      return client ?? (await (opening ??= open()));
    } catch (error) {
      lose(toDatabaseError(error));
      throw lost ?? error;
    }
  }

  async function connect({ url }: DatabaseHost, ssl: false | ConnectionOptions): Promise<pg.Client> {
    socket = new Socket();
    const stream = socket;
    const connecting = new pg.Client({
      connectionString: url,
      ssl,
      pipeline: true,
      stream: () => stream,
      types: { getTypeParser: (type: number) => decoderOf(type) },
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    });
    // Every failure also rejects the statements or the attempt to connect.
    connecting.on("error", () => undefined);
    connecting.on("end", () => {
      if (client === connecting) lose(lostError());
    });
    connecting.on("notification", ({ channel, payload }) => onNotify?.(channel, payload ?? ""));
    await connecting.connect();
    if (target.prepare) {
      const reported: unknown = Reflect.get(connecting, "processID");
      const statement = { text: PREPARE_SESSION, values: [String(reported)], query_timeout: CONNECT_TIMEOUT_MS };
      isPooled = lastOf(await connecting.query(statement)).rows[0]?.["pooled"] === true;
      if (!isPooled) pid = Number(reported);
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
    async connect() {
      await connected();
    },
    get isPooled() {
      return isPooled;
    },
    async send(text, values, timeoutMs) {
      const opened = await connected();
      try {
        cork();
        const limit = timeoutMs === undefined ? {} : { query_timeout: timeoutMs };
        const statement = { text, ...limit, ...(values === null ? {} : { values: [...values], queryMode: "extended" }) };
        const query = values === null || isPooled ? statement : { ...statement, name: nameOf(text) };
        return lastOf(await opened.query(query));
      } catch (error) {
        const failure = toDatabaseError(error);
        if (failure.code === SQLSTATE.connectionFailure) lose(failure);
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
      const ended = opening?.then(
        (opened) => opened.end(),
        () => undefined,
      );
      await Promise.race([ended, delay(END_TIMEOUT_MS, undefined, { ref: false })]);
      socket.destroy();
    },
    destroy() {
      lose(lostError());
    },
  };
}

async function isStandby(client: pg.Client): Promise<boolean> {
  const statement = { text: "select pg_is_in_recovery() as standby", query_timeout: CONNECT_TIMEOUT_MS };
  return lastOf(await client.query(statement)).rows[0]?.["standby"] === true;
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
