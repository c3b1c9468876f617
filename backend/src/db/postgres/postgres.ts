import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { type Database, DatabaseError } from "../database.ts";
import { createPool } from "../pool.ts";
import { createPostgresConnection } from "./connection.ts";
import { createLink } from "./link.ts";
import { createPostgresListener } from "./listener.ts";
import { readConnectionUrl } from "./url.ts";
import { createSubscriptions } from "../subscriptions.ts";
import { retryIfStale } from "../stale-statement.ts";
import { runTransaction } from "../transaction.ts";

const CLOSE_GRACE_MS = 1000;
const OLDEST_SERVER = 150_000;

export interface PostgresOptions {
  /** A connection URL as in libpq; with `?prepare=false` behind a transaction pooler. */
  url: string;
  /** The number of connections for transactions. One more connection listens, and each cancellation opens one. */
  poolSize?: number;
  log: Logger;
}

/** Opens a database on a Postgres server. Fails with a `DatabaseError`: 08006 if the server cannot be reached. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, poolSize = 10, log } = options;
  const target = readConnectionUrl(url);
  const subscriptions = createSubscriptions(log);
  const listener = createPostgresListener(target, subscriptions, log);
  const connections = Array.from({ length: poolSize }, () => createPostgresConnection(target, cancel));
  const pool = createPool(connections);
  let closed: Promise<void> | undefined;

  async function cancel(pid: number): Promise<void> {
    const link = createLink(target);
    try {
      await link.send("select pg_cancel_backend($1)", [String(pid)]);
    } catch (error) {
      log.warn({ err: error }, "a statement could not be cancelled");
    } finally {
      await link.end();
    }
  }

  async function close(): Promise<void> {
    await Promise.race([pool.close(), delay(CLOSE_GRACE_MS, undefined, { ref: false })]);
    await Promise.all([listener.close(), ...connections.map((connection) => connection.close())]);
  }

  const database: Database = {
    kind: "postgres",
    async transaction(work, transactionOptions = {}) {
      const { readOnly, signal } = transactionOptions;
      const result = await pool.use(
        (connection) => retryIfStale(() => runTransaction(connection.lease(), work, transactionOptions)),
        signal,
      );
      if (!readOnly) await listener.delivered();
      return result;
    },
    async listen(channel, handler) {
      const subscription = subscriptions.add(channel, handler);
      const stop = async (): Promise<void> => {
        if (subscriptions.remove(channel, subscription)) await listener.unlisten(channel);
      };
      await listener.listen(channel).catch(async (error: unknown) => {
        await stop();
        throw error;
      });
      return stop;
    },
    close: () => (closed ??= close()),
  };
  try {
    await database.transaction(checkServer, { readOnly: true });
    if (!target.prepare)
      log.warn("a transaction pooler does not deliver announcements: changes by other processes show late; connect directly");
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

async function checkServer(tx: Parameters<Parameters<Database["transaction"]>[0]>[0]): Promise<void> {
  const [row] = await tx.query<{ version: number }>("select current_setting('server_version_num')::int as version");
  if (row && row.version >= OLDEST_SERVER) return;
  throw new DatabaseError("The database server is older than PostgreSQL 15.", { code: "0A000" });
}
