import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { DatabaseError } from "../database.ts";
import { createLink, type Link } from "./link.ts";
import type { ConnectionUrl } from "./url.ts";
import { quoteIdentifier } from "../quote.ts";
import type { Subscriptions } from "../subscriptions.ts";

const RETRY_MS = 250;
const DELIVERY_TIMEOUT_MS = 1000;

/** The connection on which a process receives announcements. */
export interface PostgresListener {
  listen(channel: string): Promise<void>;
  unlisten(channel: string): Promise<void>;
  /** Resolves when all announcements of earlier commits have been delivered, or after a second. */
  delivered(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates the listening connection, which delivers announcements to `subscriptions` and reconnects when it is lost. Then it
 * calls every handler with an empty payload, because announcements may have been missed.
 */
export function createPostgresListener(target: ConnectionUrl, subscriptions: Subscriptions, log: Logger): PostgresListener {
  let link = open();
  let closed = false;
  let restoring = false;

  function open(): Link {
    return createLink(target, { onNotify: (channel, payload) => subscriptions.dispatch(channel, payload), onLost });
  }

  function onLost(): void {
    if (closed) return;
    link = open();
    if (restoring || subscriptions.channels().length === 0) return;
    restoring = true;
    log.warn("announcements are not received: the connection was lost");
    void restore();
  }

  async function restore(): Promise<void> {
    do {
      await delay(RETRY_MS);
      if (closed) return;
    } while (!(await listenAgain()));
    restoring = false;
    log.info("announcements are received again");
    for (const channel of subscriptions.channels()) subscriptions.dispatch(channel, "");
  }

  async function listenAgain(): Promise<boolean> {
    try {
      for (const channel of subscriptions.channels()) await link.send(`listen ${quoteIdentifier(channel)}`, null);
      return true;
    } catch (error) {
      if (error instanceof DatabaseError) return false;
      throw error;
    }
  }

  return {
    async listen(channel) {
      await link.send(`listen ${quoteIdentifier(channel)}`, null);
    },
    async unlisten(channel) {
      // A lost connection listens to nothing.
      await link.send(`unlisten ${quoteIdentifier(channel)}`, null).catch(() => undefined);
    },
    async delivered() {
      if (closed || restoring || subscriptions.channels().length === 0) return;
      // A commit signals the listening server processes before it is acknowledged, and a signalled process sends announcements
      // before it answers its next statement. So a result on this connection arrives after the announcements.
      const timeout = new AbortController();
      const answered = link.send("select 1", null).catch(() => undefined);
      await Promise.race([answered, delay(DELIVERY_TIMEOUT_MS, undefined, { signal: timeout.signal }).catch(() => undefined)]);
      timeout.abort();
    },
    async close() {
      closed = true;
      await link.end();
    },
  };
}
