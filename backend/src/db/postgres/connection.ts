import { DatabaseError } from "../database.ts";
import type { Session } from "../transaction.ts";
import { createLink, type Link } from "./link.ts";
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

/** Creates a pool member; `cancel` cancels the statement that a server process is running. */
export function createPostgresConnection(target: ConnectionUrl, cancel: (pid: number) => Promise<void>): PostgresConnection {
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
      let running = 0;
      return {
        async query(text, values) {
          running += 1;
          try {
            return (await link.send(text, values, timeoutMs)).rows;
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
          return (await link.send(sql, null, isBegin ? BEGIN_TIMEOUT_MS : timeoutMs)).command;
        },
        async cancel() {
          if (link.pid !== undefined && running > 0) await cancel(link.pid);
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
