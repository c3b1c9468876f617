import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import * as SQLSTATE from "../../sqlstates.ts";
import { createAnnouncementReader } from "../announcements.ts";
import { DatabaseError } from "../database.ts";
import { quoteIdentifier } from "../quote.ts";
import type { Subscriptions } from "../subscriptions.ts";
import { createAcknowledgements, QUESTIONS } from "./acknowledgements.ts";
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
interface PostgresListener {
  /** The failure of the last attempt to reconnect, while the server cannot be reached. */
  readonly outage: DatabaseError | undefined;
  /** `everywhere` as in `Database.listen`. */
  listen(channel: string, everywhere: boolean): Promise<void>;
  unlisten(channel: string): Promise<void>;
  /**
   * Resolves when all announcements of earlier commits have been delivered, or after a second; then it calls all handlers with an
   * empty payload. If there may be some that all processes must receive, it waits for the others too, a second at most.
   */
  delivered(): Promise<void>;
  /** As `Database.isCaughtUp`. */
  isCaughtUp(): boolean;
  /** As `Database.catchUp`. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

interface ListenerHooks {
  log: Logger;
  /** Called when the server can no longer be reached. */
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
  /** True from an answer that took more than a second to the next answer. */
  let isSilent = false;
  let isAcknowledging = false;
  /** All announcements of commits before this time were delivered, or reported as lost. */
  let caughtUpAt = 0;
  let catchingUp: Promise<void> | undefined;

  /** The channels whose announcements all processes must receive. */
  const everywhere = new Set<string>();
  const acknowledgements = createAcknowledgements(
    async (text, values) => (await link.send(text, values, HEARTBEAT_TIMEOUT_MS)).rows,
    CAUGHT_UP_MS,
  );

  function open(): Link {
    return createLink(target, { onNotify, onLost });
  }

  function onNotify(channel: string, payload: string): void {
    if (channel === QUESTIONS) {
      acknowledgements.receive(payload);
      if (acknowledgements.isDue) void acknowledge();
      return;
    }
    if (everywhere.has(channel)) acknowledgements.announced();
    subscriptions.dispatch(channel, payload);
  }

  async function acknowledge(): Promise<void> {
    if (isAcknowledging) return;
    isAcknowledging = true;
    while (acknowledgements.isDue && !restoring && !closed) await check().catch(() => undefined);
    isAcknowledging = false;
  }

  function createReader(): () => Promise<void> {
    const current = link;
    return createAnnouncementReader(async (text, values) => (await current.send(text, values, HEARTBEAT_TIMEOUT_MS)).rows, subscriptions);
  }

  function onLost(): void {
    if (closed) return;
    link = open();
    readAnnouncements = createReader();
    isSilent = false;
    acknowledgements.lost();
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
    subscriptions.dispatchLoss();
  }

  async function listenAgain(): Promise<DatabaseError | undefined> {
    try {
      for (const channel of subscriptions.channels()) await attach(channel);
      if (everywhere.size > 0) await arrive();
      await check();
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

  /** Makes this process one for which the others wait, after it listens and before it has cached pages. */
  async function arrive(): Promise<void> {
    if (link.isPooled) return;
    await attach(QUESTIONS);
    await check();
    await acknowledgements.arrive();
  }

  /** Resolves when all announcements of earlier commits have been delivered. */
  async function check(): Promise<void> {
    const started = performance.now();
    if (link.isPooled) await readAnnouncements();
    // A commit signals the listening server processes before it is acknowledged, and a signalled process sends announcements
    // before it answers its next statement. So a result on this connection arrives after the announcements.
    else if (everywhere.size === 0) await link.send("select 1", null, HEARTBEAT_TIMEOUT_MS);
    else await link.send("select set_config('application_name', $1, false)", [acknowledgements.nextName()], HEARTBEAT_TIMEOUT_MS);
    caughtUpAt = Math.max(caughtUpAt, started);
    isSilent = false;
  }

  /** Resolves when all announcements of earlier commits have been delivered, or reported as lost; then the result is false. */
  async function deliver(): Promise<boolean> {
    if (closed || subscriptions.channels().length === 0) return true;
    if (!restoring && !isSilent) {
      const timeout = new AbortController();
      const checked = check().then(
        () => true,
        () => false,
      );
      const expired = delay(DELIVERY_TIMEOUT_MS, false, { signal: timeout.signal }).catch(() => false);
      const isDelivered = await Promise.race([checked, expired]);
      timeout.abort();
      if (isDelivered) return true;
      isSilent = !restoring;
    }
    subscriptions.dispatchLoss();
    return false;
  }

  async function delivered(): Promise<void> {
    const started = performance.now();
    if (await deliver()) await acknowledgements.settled();
    else if (everywhere.size > 0) await delay(CAUGHT_UP_MS - (performance.now() - started));
  }

  function isCaughtUp(): boolean {
    return outage !== undefined || !isBeating || performance.now() - caughtUpAt < CAUGHT_UP_MS;
  }

  async function catchUp(): Promise<void> {
    // An answer that took more than a second may be from before a write for which another process has stopped to wait.
    if ((await deliver()) && !isCaughtUp()) subscriptions.dispatchLoss();
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
    async listen(channel, isEverywhere) {
      await attach(channel);
      if (isEverywhere && !everywhere.has(channel)) {
        everywhere.add(channel);
        await arrive();
      }
      if (isBeating) return;
      caughtUpAt = performance.now();
      void beat();
    },
    async unlisten(channel) {
      // A lost connection listens to nothing.
      if (!link.isPooled) await link.send(`unlisten ${quoteIdentifier(channel)}`, null).catch(() => undefined);
    },
    delivered,
    isCaughtUp,
    catchUp: () => (catchingUp ??= catchUp().finally(() => (catchingUp = undefined))),
    async close() {
      closed = true;
      await link.end();
    },
  };
}
