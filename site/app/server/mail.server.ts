import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { SupabaseOptions } from "../supabase/supabase.server.ts";

/** The longest time that `stop` waits for the mail server. */
const STOP_TIMEOUT_MS = 2000;

/** Sends the mails that the database has queued. */
export interface Mails {
  /** Sends the mails about enquiries and failed backups, and the letters that are due; a failure is logged, and the next call tries again. */
  send(): Promise<void>;
  /** Starts no further mail, and waits up to two seconds for the one that is being sent. */
  stop(): Promise<void>;
}

/** Creates the sender of a process. */
export function createMails({ url, publishableKey, fetch }: SupabaseOptions, log: Logger): Mails {
  const stopped = new AbortController();
  const { signal } = stopped;
  const sending = new Set<Promise<void>>();

  async function sendAll(): Promise<void> {
    for (const name of ["mail-enquiries", "send-letters", "mail-backups"]) {
      if (signal.aborted) return;
      const request = new Request(`${url}/functions/v1/${name}`, { method: "POST", headers: { apikey: publishableKey }, signal });
      try {
        const { ok, status } = await fetch(request, { relations: new Set() });
        if (!ok) log.warn({ status, function: name }, "mails could not be sent");
      } catch (error) {
        log.warn({ err: error, function: name }, "mails could not be sent");
      }
    }
  }

  return {
    async send() {
      const sent = sendAll();
      sending.add(sent);
      await sent;
      sending.delete(sent);
    },
    async stop() {
      stopped.abort();
      await Promise.race([Promise.all(sending), delay(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}
