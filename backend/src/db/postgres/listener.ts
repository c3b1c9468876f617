import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { SQLSTATE } from "../../sqlstates.ts";
import { createAnnouncementReader } from "../announcements.ts";
import { DatabaseError } from "../database.ts";
import { quoteIdentifier } from "../quote.ts";
import type { Subscriptions } from "../subscriptions.ts";
import { createLink, type Link } from "./link.ts";
import type { ConnectionUrl } from "./url.ts";

const RETRY_MS = 250;
const REFUSED_RETRY_MS = 1000;
const HEARTBEAT_MS = 500;
const HEARTBEAT_TIMEOUT_MS = 3000;
const DELIVERY_TIMEOUT_MS = 1000;
/** More than a heartbeat and its answer take. */
const CAUGHT_UP_MS = 1000;

/** The connection on which a process receives announcements. */
export interface PostgresListener {
  /** The failure of the last attempt to reconnect, while the server cannot be reached. */
  readonly outage: DatabaseError | undefined;
  listen(channel: string): Promise<void>;
  unlisten(channel: string): Promise<void>;
  /**
   * Resolves when all announcements of earlier commits have been delivered, or after a second; then it calls all handlers with an
   * empty payload.
   */
  delivered(): Promise<void>;
  /** As `Database.isCaughtUp`. */
  isCaughtUp(): boolean;
  /** As `Database.catchUp`. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

export interface ListenerHooks {
  log: Logger;
  /** Called when the server cannot be reached any more. */
  onOutage: () => void;
  /** Called when the server has no connection left for the listener. */
  onRefused: () => Promise<void>;
}

/**
 * Creates the listening connection, which delivers announcements to `subscriptions`. A heartbeat notices that it is lost; it is
 * then replaced, and every handler is called with an empty payload, because announcements may have been missed.
 *
 * A transaction pooler does not deliver notifications: behind one, the heartbeat reads the table of announcements.
 */
export function createPostgresListener(target: ConnectionUrl, subscriptions: Subscriptions, hooks: ListenerHooks): PostgresListener {
  const { log, onOutage, onRefused } = hooks;
  let link = open();
  let readAnnouncements = createReader();
  let closed = false;
  let isBeating = false;
  let restoring = false;
  let outage: DatabaseError | undefined;
  /** All announcements of commits before this time were delivered, or told as lost. */
  let caughtUpAt = 0;
  let catchingUp: Promise<void> | undefined;

  function open(): Link {
    return createLink(target, { onNotify: (channel, payload) => subscriptions.dispatch(channel, payload), onLost });
  }

  function createReader(): () => Promise<void> {
    const current = link;
    return createAnnouncementReader(async (text, values) => (await current.send(text, values, HEARTBEAT_TIMEOUT_MS)).rows, subscriptions);
  }

  function onLost(): void {
    if (closed) return;
    link = open();
    readAnnouncements = createReader();
    if (restoring || subscriptions.channels().length === 0) return;
    restoring = true;
    log.warn("announcements are not received: the connection was lost");
    void restore();
  }

  async function restore(): Promise<void> {
    for (let failure = await listenAgain(); failure !== undefined; failure = await listenAgain()) {
      if (failure.code === SQLSTATE.connectionFailure) {
        if (outage === undefined) onOutage();
        outage = failure;
      }
      const isRefused = failure.code === SQLSTATE.tooManyConnections;
      if (isRefused) await onRefused();
      await delay(isRefused ? REFUSED_RETRY_MS : RETRY_MS);
      if (closed) return;
    }
    restoring = false;
    outage = undefined;
    log.info("announcements are received again");
    dispatchLoss();
  }

  async function listenAgain(): Promise<DatabaseError | undefined> {
    try {
      for (const channel of subscriptions.channels()) await attach(channel);
      return undefined;
    } catch (error) {
      if (error instanceof DatabaseError) return error;
      throw error;
    }
  }

  async function attach(channel: string): Promise<void> {
    await link.connect();
    if (link.isPooled) await readAnnouncements();
    else await link.send(`listen ${quoteIdentifier(channel)}`, null, HEARTBEAT_TIMEOUT_MS);
  }

  /** Resolves when all announcements of earlier commits have been delivered. */
  async function check(): Promise<void> {
    const started = performance.now();
    if (link.isPooled) await readAnnouncements();
    // A commit signals the listening server processes before it is acknowledged, and a signalled process sends announcements
    // before it answers its next statement. So a result on this connection arrives after the announcements.
    else await link.send("select 1", null, HEARTBEAT_TIMEOUT_MS);
    caughtUpAt = Math.max(caughtUpAt, started);
  }

  /** Resolves when all announcements of earlier commits have been delivered, or told as lost. */
  async function deliver(): Promise<void> {
    if (closed || subscriptions.channels().length === 0) return;
    if (!restoring) {
      const timeout = new AbortController();
      const checked = check().then(
        () => true,
        () => false,
      );
      const expired = delay(DELIVERY_TIMEOUT_MS, false, { signal: timeout.signal }).catch(() => false);
      const isDelivered = await Promise.race([checked, expired]);
      timeout.abort();
      if (isDelivered) return;
    }
    dispatchLoss();
  }

  function dispatchLoss(): void {
    subscriptions.dispatchLoss();
    caughtUpAt = performance.now();
  }

  async function beat(): Promise<void> {
    isBeating = true;
    while (!closed) {
      await delay(HEARTBEAT_MS, undefined, { ref: false });
      // A failure loses the link, which starts to restore it.
      if (!restoring && !closed) await check().catch(() => undefined);
    }
  }

  return {
    get outage() {
      return outage;
    },
    async listen(channel) {
      await attach(channel);
      if (isBeating) return;
      caughtUpAt = performance.now();
      void beat();
    },
    async unlisten(channel) {
      // A lost connection listens to nothing.
      if (!link.isPooled) await link.send(`unlisten ${quoteIdentifier(channel)}`, null).catch(() => undefined);
    },
    delivered: deliver,
    isCaughtUp: () => restoring || !isBeating || performance.now() - caughtUpAt < CAUGHT_UP_MS,
    catchUp: () => (catchingUp ??= deliver().finally(() => (catchingUp = undefined))),
    async close() {
      closed = true;
      await link.end();
    },
  };
}
