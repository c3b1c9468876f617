import type { Logger } from "pino";
import * as SQLSTATE from "../../sqlstates.ts";
import { DatabaseError, type Row } from "../database.ts";
import type { Outcome, ThreadOptions } from "./messages.ts";
import { startThread, type StatementLimits, type Thread } from "./thread.ts";
import { quoteIdentifier } from "../quote.ts";
import type { Subscriptions } from "../subscriptions.ts";
import type { Session } from "../transaction.ts";
import { decoderOf } from "../values.ts";

/** PGlite's thread, replaced by another when it is lost. */
interface RestartingThread {
  /** Opens a session for one transaction. If its thread is lost, all its statements fail, even if another thread exists by then. */
  lease(limits?: StatementLimits): Session;
  close(graceMs: number): Promise<void>;
}

interface RestartOptions {
  subscriptions: Subscriptions;
  log: Logger;
  /** Called before a thread opens the database. */
  beforeStart?: (() => void) | undefined;
}

/**
 * Starts the thread. A lost thread is replaced by another on the same directory, where Postgres recovers all commits; then every
 * handler is called with an empty payload, because announcements may have been missed. A database in memory is lost with its
 * thread, and its statements fail with 08006.
 */
export async function openRestartingThread(options: ThreadOptions, context: RestartOptions): Promise<RestartingThread> {
  const { subscriptions, log, beforeStart } = context;
  let closing = false;
  let current: Promise<Thread> = start();
  await current;

  async function start(): Promise<Thread> {
    beforeStart?.();
    return startThread({
      ...options,
      onNotification: ({ channel, payload }) => subscriptions.dispatch(channel, payload),
      onLost,
      log,
    });
  }

  function onLost(): void {
    if (closing || options.directory === undefined) return;
    current = restart();
    // The next statement fails with this error; the one after it tries again.
    current.catch((error: unknown) => log.error({ err: error }, "the embedded database does not start again"));
  }

  async function restart(): Promise<Thread> {
    const thread = await start();
    const channels = subscriptions.channels();
    for (const channel of channels) await thread.execute({ text: `listen ${quoteIdentifier(channel)}`, values: null });
    log.warn("the embedded database has started again");
    for (const channel of channels) subscriptions.dispatch(channel, "");
    return thread;
  }

  return {
    lease(limits) {
      const thread = current;
      thread.catch(() => {
        if (thread === current && !closing) onLost();
      });
      const started = thread.catch(rethrowAsUnavailable);
      // Also handled where a statement awaits it.
      started.catch(() => undefined);
      return {
        query: async (text, values) => toRows(await (await started).execute({ text, values }, limits)),
        script: async (text) => (await (await started).execute({ text, values: null }, limits)).tag,
      };
    },
    async close(graceMs) {
      closing = true;
      await current.then(
        (thread) => thread.close(graceMs),
        () => undefined,
      );
    },
  };
}

function rethrowAsUnavailable(cause: unknown): never {
  throw new DatabaseError("The embedded database does not start.", { code: SQLSTATE.connectionFailure, cause });
}

function toRows({ columns, types, rows }: Outcome): Row[] {
  const decoders = types.map(decoderOf);
  return rows.map((row) =>
    Object.fromEntries(
      columns.map((column, index) => {
        const text = row[index] ?? null;
        return [column, text === null ? null : decoders[index]?.(text)];
      }),
    ),
  );
}
