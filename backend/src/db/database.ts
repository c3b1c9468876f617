import type { Job } from "../jobs.ts";
import * as SQLSTATE from "../sqlstates.ts";

/** A parameter of a statement. Arrays and objects are passed as JSON text and cast in SQL (`$1::text::jsonb`). */
export type SqlValue = string | number | boolean | Date | null;

export type Row = Record<string, unknown>;

/** An open transaction; it ends when the function that received it ends. */
export interface Transaction {
  /** Runs one statement with `values` for `$1` …. Fails with a `DatabaseError`. */
  query<R extends Row = Row>(text: string, values?: readonly SqlValue[]): Promise<R[]>;
  /** Runs the last statement like `query`; a read-only transaction sends its commit with it. */
  last<R extends Row = Row>(text: string, values?: readonly SqlValue[]): Promise<R[]>;
  /** Runs a script of several statements without parameters, such as a migration. */
  script(text: string): Promise<void>;
}

export interface TransactionOptions {
  readOnly?: boolean;
  /** True for essential writes, such as a sign-in: the embedded database accepts them on a full disk while its reserve lasts. */
  useReserve?: boolean;
  /** Rolls the transaction back at its end and returns its result. */
  rollback?: boolean;
  /** Cancels the running statement when it aborts, if the driver can. */
  signal?: AbortSignal;
  /**
   * The longest time of a statement. The embedded database ignores `statement_timeout`: at this limit the driver cancels the
   * statement, which fails with SQLSTATE 57014. A connection to a server without an answer a few seconds after it is lost.
   */
  statementTimeoutMs?: number;
  /**
   * False if the memory of the embedded database, which never shrinks, must not grow: a statement that needs more fails with
   * SQLSTATE 53200.
   */
  mayGrowMemory?: boolean;
}

/** One Postgres database, embedded or on a server; the only interface to it for the rest of the backend. */
export interface Database {
  readonly kind: "pglite" | "postgres";
  /** Maintenance that the scheduler runs. */
  readonly jobs?: readonly Job[];
  /**
   * Runs `work` in one transaction as the connection's own role and returns its result; an error rolls back. If a prepared
   * statement is stale, or Postgres ends the transaction to resolve a deadlock, `work` runs again, so it should have no effects
   * outside the database. Announcements made in it have reached this process's `listen` handlers before the promise resolves.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Calls `handler` with the payload of every NOTIFY on `channel`; the returned function stops it. After a lost connection is
   * back, `handler` is called once with an empty payload, because announcements may have been missed.
   *
   * With `everywhere`, a transaction of this process that announces on the channel resolves when every process that listens like this
   * has called its handlers, or is not caught up.
   */
  listen(channel: string, handler: (payload: string) => void, options?: { everywhere?: boolean }): Promise<() => Promise<void>>;
  /**
   * Copies the embedded database to a new data directory, while statements go on. The copy has the state at some moment during
   * the call. Absent on a server and in memory.
   */
  copyTo?(dataDir: string): Promise<void>;
  /**
   * True if this process has received every announcement of commits older than a second. Always true in an outage of the database,
   * after which handlers are called with an empty payload. Absent if no other process can write.
   */
  isCaughtUp?(): boolean;
  /** Resolves when announcements of earlier commits were received; after a second, it calls all handlers with an empty payload. */
  catchUp?(): Promise<void>;
  /** The number of transactions that wait for a connection. */
  waiting(): number;
  close(): Promise<void>;
}

/** The fields of a failure that Postgres reports. */
export interface DatabaseErrorFields {
  code: string;
  detail?: string | null;
  hint?: string | null;
  position?: number | null;
  constraint?: string | null;
  stale?: boolean;
  cause?: unknown;
}

/** A failure reported by Postgres; branch on `code`, its SQLSTATE. `08006` means that the server cannot be reached. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  readonly code: string;
  readonly #detail: string | null;
  readonly hint: string | null;
  /** 1-based character offset in the statement or script, if Postgres reports one. */
  readonly position: number | null;
  readonly constraint: string | null;
  /** True if a prepared statement is stale because a table changed; the statement succeeds when it is run again. */
  readonly stale: boolean;

  constructor(message: string, fields: DatabaseErrorFields) {
    super(message, { cause: fields.cause });
    this.code = fields.code;
    this.#detail = fields.detail ?? null;
    this.hint = fields.hint ?? null;
    this.position = fields.position ?? null;
    this.constraint = fields.constraint ?? null;
    this.stale = fields.stale ?? false;
  }
  /** True if the server cannot be reached or has no connection left. The driver logs an outage once, not each of its errors. */
  get isOutage(): boolean {
    return this.code === SQLSTATE.connectionFailure || this.code === SQLSTATE.tooManyConnections;
  }
  /** May contain values of a row; a getter, so that logs do not include it. */
  get detail(): string | null {
    return this.#detail;
  }
}
