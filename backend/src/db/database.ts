import type { Job } from "../jobs.ts";

/** A value a statement takes as parameter. Arrays and objects travel as JSON text and are cast in SQL (`$1::text::jsonb`). */
export type SqlValue = string | number | boolean | Date | null;

export type Row = Record<string, unknown>;

/** An open transaction; it ends when the function it was given to does. */
export interface Transaction {
  /** Runs one statement; `$1` … refer to `values`. Fails with a `DatabaseError`. */
  query<R extends Row = Row>(text: string, values?: readonly SqlValue[]): Promise<R[]>;
  /** Runs the last statement like `query`; a read-only transaction has nothing to take back, and sends its end along. */
  last<R extends Row = Row>(text: string, values?: readonly SqlValue[]): Promise<R[]>;
  /** Runs a script of several statements without parameters, as migrations are. */
  script(text: string): Promise<void>;
}

export interface TransactionOptions {
  readOnly?: boolean;
  /** Ends the transaction's running statement when it aborts, where the driver can. */
  signal?: AbortSignal;
  /**
   * Ends a statement that runs longer, where Postgres cannot: the embedded one heeds no `statement_timeout`, so that its
   * thread is ended and another takes its place. The statement fails with SQLSTATE 57014.
   */
  statementTimeoutMs?: number;
}

/** One Postgres, embedded or served: the only thing the rest of the backend knows of either. */
export interface Database {
  readonly kind: "pglite" | "postgres";
  /** Maintenance that the scheduler runs. */
  readonly jobs?: readonly Job[];
  /**
   * Runs `work` in one transaction as the connection's own role and returns what it returns; a throw rolls back. Where a
   * table has changed under a prepared statement, `work` runs a second time: it should change nothing but the database.
   * Table changes announced in it have reached this process's `listen` handlers before the promise resolves.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Calls `handler` with the payload of every NOTIFY on `channel`; the returned function stops it. Where the connection was
   * lost and is back, `handler` is called once with an empty payload: anything may have been announced meanwhile.
   */
  listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** A failure reported by Postgres; branch on `code`, its SQLSTATE. `08006` stands for a server that cannot be reached. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  readonly code: string;
  readonly #detail: string | null;
  readonly hint: string | null;
  /** 1-based character offset into the statement or script, where Postgres gives one. */
  readonly position: number | null;
  readonly constraint: string | null;
  /** True if a prepared statement is stale because a table changed; the statement succeeds when it is run again. */
  readonly stale: boolean;

  constructor(
    message: string,
    fields: {
      code: string;
      detail?: string | null;
      hint?: string | null;
      position?: number | null;
      constraint?: string | null;
      stale?: boolean;
      cause?: unknown;
    },
  ) {
    super(message, { cause: fields.cause });
    this.code = fields.code;
    this.#detail = fields.detail ?? null;
    this.hint = fields.hint ?? null;
    this.position = fields.position ?? null;
    this.constraint = fields.constraint ?? null;
    this.stale = fields.stale ?? false;
  }
  /** May quote a row's values: no property of its own, so that no log copies it. */
  get detail(): string | null {
    return this.#detail;
  }
}
