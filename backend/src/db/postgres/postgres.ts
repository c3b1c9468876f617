import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import * as SQLSTATE from "../../sqlstates.ts";
import { type Database, DatabaseError, type Transaction, type TransactionOptions } from "../database.ts";
import { createPool } from "../pool.ts";
import { createPostgresConnection, type PostgresConnection } from "./connection.ts";
import { createLink } from "./link.ts";
import { createPostgresListener } from "./listener.ts";
import { createOutageLog } from "./outage.ts";
import { readConnectionUrl } from "./url.ts";
import { createSubscriptions } from "../subscriptions.ts";
import { runAgainIfRefused } from "../run-again.ts";
import { runTransaction } from "../transaction.ts";

const CLOSE_GRACE_MS = 1000;
const CANCEL_TIMEOUT_MS = 5000;
const CHECK_MS = 20_000;
const OLDEST_SERVER = 150_000;
const DEFAULT_POOL_SIZE = 10;
// Longer than the time limits of a connection, so that a lost one is noticed first.
const LONGEST_WAIT_MS = 10_000;
const REFUSED_MS = 1000;

interface PostgresOptions {
  /** A connection URL as in libpq. */
  url: string;
  /**
   * The most connections for transactions; by default 10, or fewer if the process would take more than half of those that the
   * server allows. One more connection listens, and each cancellation opens one.
   */
  poolSize?: number | undefined;
  /** The interval of the checks of a statement without a timeout; for tests. */
  checkMs?: number;
  /** The longest wait of a transaction for a connection; for tests. */
  patienceMs?: number;
  log: Logger;
}

/** Opens a database on a Postgres server. Fails with a `DatabaseError`: 08006 if the server cannot be reached. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, log } = options;
  const target = readConnectionUrl(url);
  const subscriptions = createSubscriptions(log);
  const outages = createOutageLog(log);
  const processes = { cancel, isRunning, checkMs: options.checkMs ?? CHECK_MS };
  const first = createPostgresConnection(target, processes);
  const limits = { prepare, patienceMs: options.patienceMs ?? LONGEST_WAIT_MS };
  let refusal: { error: DatabaseError; until: number } | undefined;
  let closed: Promise<void> | undefined;

  const listener = createPostgresListener(target, subscriptions, {
    log,
    onOutage() {
      for (const connection of connections) connection.drop();
    },
    onRefused: () => pool.use((connection) => connection.disconnect()).catch(() => undefined),
  });

  const allowed = await createPool([first], limits)
    .use(async (connection) => runTransaction(await connection.lease(), checkServer, { readOnly: true }))
    .catch(async (error: unknown) => {
      await first.disconnect();
      throw error;
    });
  const size = options.poolSize ?? Math.min(DEFAULT_POOL_SIZE, Math.max(1, Math.floor(allowed / 2) - 1));
  const connections = [...Array.from({ length: size - 1 }, () => createPostgresConnection(target, processes)), first];
  const pool = createPool(connections, limits);

  /** Connects a member. While the server refuses further connections, one attempt a second stands for all members. */
  async function prepare(connection: PostgresConnection): Promise<void> {
    const { outage } = listener;
    if (outage) {
      // A caller that tries again at once must not keep the event loop from noticing that the server is back.
      await nextTurn();
      throw outage;
    }
    if (refusal && !connection.isConnected && performance.now() < refusal.until) throw refusal.error;
    try {
      await connection.connect();
    } catch (error) {
      const isRefused = error instanceof DatabaseError && error.code === SQLSTATE.tooManyConnections;
      if (isRefused) refusal = { error, until: performance.now() + REFUSED_MS };
      throw error;
    }
  }

  async function cancel(pid: number): Promise<void> {
    const link = createLink(target);
    try {
      await link.send("select pg_cancel_backend($1)", [String(pid)], CANCEL_TIMEOUT_MS);
    } catch (error) {
      if (!(error instanceof DatabaseError && error.isOutage)) log.warn({ err: error }, "a statement could not be cancelled");
    } finally {
      await link.end();
    }
  }

  async function isRunning(pid: number): Promise<boolean> {
    const link = createLink(target);
    try {
      const { rows } = await link.send(RUNS, [String(pid)], CANCEL_TIMEOUT_MS);
      return rows[0]?.["runs"] === true;
    } catch {
      // An outage is noticed by the listener, which ends all connections.
      return true;
    } finally {
      await link.end();
    }
  }

  async function close(): Promise<void> {
    await Promise.race([pool.close(), delay(CLOSE_GRACE_MS, undefined, { ref: false })]);
    await Promise.all([listener.close(), ...connections.map((connection) => connection.disconnect())]);
  }

  async function transact<T>(work: (tx: Transaction) => Promise<T>, transactionOptions: TransactionOptions): Promise<T> {
    try {
      const result = await pool.use(
        (connection) =>
          runAgainIfRefused(async () =>
            runTransaction(await connection.lease(transactionOptions.statementTimeoutMs), work, transactionOptions),
          ),
        transactionOptions.signal,
      );
      outages.succeeded();
      return result;
    } catch (error) {
      if (error instanceof DatabaseError && error.isOutage) outages.failed(error);
      throw error;
    }
  }

  return {
    kind: "postgres",
    async transaction(work, transactionOptions = {}) {
      const result = await transact(work, transactionOptions);
      if (!transactionOptions.readOnly) await listener.delivered();
      return result;
    },
    isCaughtUp: listener.isCaughtUp,
    catchUp: listener.catchUp,
    async listen(channel, handler, { everywhere = false } = {}) {
      const subscription = subscriptions.add(channel, handler);
      const stop = async (): Promise<void> => {
        if (subscriptions.remove(channel, subscription)) await listener.unlisten(channel);
      };
      await listener.listen(channel, everywhere).catch(async (error: unknown) => {
        await stop();
        throw error;
      });
      return stop;
    },
    waiting: pool.waiting,
    close: () => (closed ??= close()),
  };
}

// The state is "disabled" if the server does not track it.
const RUNS =
  "select exists (select from pg_stat_activity where pid = $1 and (state is null or state in ('active', 'fastpath function call', 'disabled'))) as runs";

/** Checks the version of the server; returns the number of connections that it allows. */
async function checkServer(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ version: number; connections: number }>(`select
    current_setting('server_version_num')::integer as version,
    least(
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        - coalesce(current_setting('reserved_connections', true), '0')::integer,
      (select nullif(rolconnlimit, -1) from pg_roles where rolname = session_user),
      (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
    ) as connections`);
  if (row && row.version >= OLDEST_SERVER) return row.connections;
  throw new DatabaseError("The database server is older than PostgreSQL 15.", { code: SQLSTATE.featureNotSupported });
}
