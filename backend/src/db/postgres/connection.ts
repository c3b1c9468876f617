import { DatabaseError } from "../database.ts";
import type { Session } from "../transaction.ts";
import { createLink, type Link, type Result } from "./link.ts";
import type { ConnectionUrl } from "./url.ts";

// A server stores prepared statements until their connection ends, so a connection with many of them is replaced.
const MAX_PREPARED = 500;
// BEGIN waits for nothing, so a connection on which it has no result is lost.
const BEGIN_TIMEOUT_MS = 5000;
// The server ends a statement at its own timeout; its error needs this time to arrive.
const STATEMENT_GRACE_MS = 5000;

/** One member of the pool: a link, replaced when it is lost. */
export interface PostgresConnection {
  readonly isConnected: boolean;
  /** Connects, if it is not connected. Fails with a `DatabaseError`. */
  connect(): Promise<void>;
  /**
   * Opens a session for one transaction, whose statements the server ends after `statementTimeoutMs`. If its link is lost, all its
   * statements fail, even if another link exists by then.
   */
  lease(statementTimeoutMs?: number): Promise<Session>;
  /** Closes the link when its statements have results; it connects again when it is used. */
  disconnect(): Promise<void>;
  /** Ends the link at once; its statements fail. */
  drop(): void;
}

interface Opened {
  link: Link;
  isConnected: boolean;
  isStale: boolean;
}

/** Requests to a server process, over a connection of their own. */
interface ServerProcesses {
  /** Cancels the statement that it runs. */
  cancel(pid: number): Promise<void>;
  /** True if it runs a statement, or if that is not known. */
  isRunning(pid: number): Promise<boolean>;
  /** The interval of the checks of a statement without a timeout. */
  checkMs: number;
}

/** Creates a pool member. */
export function createPostgresConnection(target: ConnectionUrl, processes: ServerProcesses): PostgresConnection {
  let current = open();

  function open(): Opened {
    const link = createLink(target, {
      onLost() {
        if (current.link === link) current = open();
      },
    });
    return { link, isConnected: false, isStale: false };
  }

  async function connect(): Promise<Opened> {
    const opened = current;
    await opened.link.connect();
    opened.isConnected = true;
    return opened;
  }

  /** Runs a statement without a timeout. If its server process runs nothing in two checks, its result was lost and so is the link. */
  async function watch<T>(link: Link, statement: Promise<T>): Promise<T> {
    let misses = 0;
    const checking = setInterval(() => {
      const check = link.pid === undefined ? Promise.resolve(true) : processes.isRunning(link.pid);
      void check.then((isRunning) => {
        misses = isRunning ? 0 : misses + 1;
        if (misses === 2) link.destroy();
      });
    }, processes.checkMs);
    checking.unref();
    try {
      return await statement;
    } finally {
      clearInterval(checking);
      misses = -Infinity;
    }
  }

  async function disconnect(): Promise<void> {
    const { link } = current;
    current = open();
    await link.end();
  }

  return {
    get isConnected() {
      return current.isConnected;
    },
    async connect() {
      await connect();
    },
    async lease(statementTimeoutMs) {
      if (current.isStale || current.link.preparedCount >= MAX_PREPARED) void disconnect();
      const leased = await connect();
      const { link } = leased;
      const timeoutMs = statementTimeoutMs === undefined ? undefined : statementTimeoutMs + STATEMENT_GRACE_MS;
      const send = (text: string, values: readonly (string | null)[] | null, limitMs = timeoutMs): Promise<Result> => {
        const statement = link.send(text, values, limitMs);
        return limitMs === undefined ? watch(link, statement) : statement;
      };
      let running = 0;
      return {
        async query(text, values) {
          running += 1;
          try {
            return (await send(text, values)).rows;
          } catch (error) {
            // Other prepared statements may be stale too.
            if (error instanceof DatabaseError && error.stale) leased.isStale = true;
            throw error;
          } finally {
            running -= 1;
          }
        },
        async script(text) {
          const isBegin = BEGIN.has(text);
          const sql = isBegin && link.isPooled ? `${text}; ${TRANSACTION_SETTINGS}` : text;
          return (await send(sql, null, isBegin ? BEGIN_TIMEOUT_MS : timeoutMs)).command;
        },
        async cancel() {
          if (link.pid !== undefined && running > 0) await processes.cancel(link.pid);
        },
      };
    },
    disconnect,
    drop: () => current.link.destroy(),
  };
}

const BEGIN: ReadonlySet<string> = new Set(["begin", "begin read only"]);
// Behind a pooler, settings last for one transaction, because the next one may have another server connection.
const TRANSACTION_SETTINGS = "set local timezone = 'UTC'; set local datestyle = 'ISO, MDY'";
