import { DatabaseError, type Row, type SqlValue, type Transaction, type TransactionOptions } from "./database.ts";
import * as SQLSTATE from "../sqlstates.ts";
import { cancelledError } from "./pool.ts";
import { encodeValue } from "./values.ts";

/** One connection to Postgres. Statements run in the order in which they are sent, without waiting for earlier results. */
export interface Session {
  /** Sends one statement; `values` are in Postgres's text form. */
  query(text: string, values: readonly (string | null)[]): Promise<Row[]>;
  /** Sends a script without parameters; resolves with its last command, such as `COMMIT`. */
  script(text: string): Promise<string>;
  /** Cancels the running statement; resolves when no later statement can be cancelled by this call. */
  cancel?(): Promise<void>;
}

/**
 * Runs `work` in a transaction on a session that nothing else uses until it ends; used by both drivers.
 * `onEndSent` is called when the commit or rollback has been sent, after which the transaction sends nothing.
 */
export async function runTransaction<T>(
  session: Session,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions,
  onEndSent: () => void = () => undefined,
): Promise<T> {
  const { readOnly = false, rollback = false, signal } = options;
  let open = true;
  let failure: unknown;
  let cancelling: Promise<void> | undefined;
  let ended: Promise<string> | undefined;
  const cancel = (): void => {
    cancelling = session.cancel?.();
  };

  function send<R>(text: string, statement: (text: string) => Promise<R>): Promise<R> {
    const sent = open ? attempt(text, statement, signal) : Promise.reject(endedError());
    // A caller may not await a statement; its failure still fails the commit.
    sent.catch((error: unknown) => (failure ??= error));
    return sent;
  }

  async function end(command: "commit" | "rollback"): Promise<string> {
    open = false;
    // A cancellation must not reach a statement of the next transaction.
    if (session.cancel) signal?.removeEventListener("abort", cancel);
    await cancelling;
    ended ??= session.script(command);
    onEndSent();
    return ended;
  }

  function query<R extends Row>(text: string, values: readonly SqlValue[] = []): Promise<R[]> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller knows the columns of its statement
    return send(text, (sql) => session.query(sql, values.map(encodeValue)) as Promise<R[]>);
  }

  const tx: Transaction = {
    query,
    last<R extends Row>(text: string, values?: readonly SqlValue[]) {
      const sent = query<R>(text, values);
      if (readOnly && !rollback && open) {
        open = false;
        ended = session.script("commit");
        ended.catch((error: unknown) => (failure ??= error));
      }
      return sent;
    },
    script: (text) => send(text, async (sql) => void (await session.script(sql))),
  };

  if (session.cancel) signal?.addEventListener("abort", cancel);
  // Sent, not awaited: it travels with the first statement.
  const begun = send(readOnly ? "begin read only" : "begin", (sql) => session.script(sql));
  let result: T;
  try {
    result = await work(tx);
    await begun;
  } catch (error) {
    // A lost connection has rolled back already.
    await end("rollback").catch(() => undefined);
    // If it failed, it is the cause.
    await begun;
    throw error;
  }
  if (rollback) {
    await end("rollback");
    return result;
  }
  // Postgres answers the commit of a failed transaction with ROLLBACK and no error.
  if ((await end("commit")) === "COMMIT") return result;
  throw failure ?? new DatabaseError("The transaction was rolled back.", { code: SQLSTATE.inFailedTransaction });
}

async function attempt<R>(text: string, statement: (text: string) => Promise<R>, signal: AbortSignal | undefined): Promise<R> {
  if (signal?.aborted) throw cancelledError();
  // A zero byte would end the statement early inside its protocol message.
  if (text.includes("\0"))
    throw new DatabaseError('invalid byte sequence for encoding "UTF8": 0x00', { code: SQLSTATE.characterNotInRepertoire });
  return statement(text.toWellFormed());
}

function endedError(): DatabaseError {
  return new DatabaseError("The transaction has ended.", { code: SQLSTATE.noActiveTransaction });
}
