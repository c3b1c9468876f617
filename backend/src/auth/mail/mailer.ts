import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database, Row, Transaction } from "../../db/database.ts";
import type { MailContent } from "./templates.ts";
import type { MailKind } from "./wording.ts";
import type { MailTransport, OutgoingMail } from "./transport.ts";

/** Queues and sends mail. */
export interface Mailer {
  /** Writes a mail into the outbox in the transaction of the change that it reports. */
  enqueue(tx: Transaction, mail: QueuedMail): Promise<void>;
  /** Sends queued mail; call it after the commit. */
  wake(): void;
  /** Stops sending. Queued mail is sent after the next start. */
  close(): Promise<void>;
}

interface QueuedMail {
  userId: string;
  kind: MailKind;
  recipient: string;
  content: MailContent;
}

/** Interval of the check for retries and for mail of other processes. */
const CHECK_MS = 15_000;
/** Lifetime of a claim; longer than the timeout of the mail server. */
const LEASE = "2 minutes";
const MAX_ATTEMPTS = 12;
/** The time that `close` waits for a mail in progress. */
const CLOSE_WAIT_MS = 500;

/** Creates the mailer of a process; without a transport, mail stays in the outbox. */
export function createMailer(database: Database, transport: MailTransport | null, log: Logger): Mailer {
  let sending: Promise<void> | undefined;
  let again = false;
  let closed = false;

  async function drain(): Promise<void> {
    do {
      again = false;
      while (!closed && transport && (await sendNext(database, transport, log)));
    } while (again && !closed);
  }

  function wake(): void {
    again = true;
    if (!transport || closed) return;
    sending ??= drain()
      .catch((error: unknown) => log.error({ code: codeOf(error) }, "the mail outbox cannot be read"))
      .finally(() => (sending = undefined));
  }

  const timer = transport ? setInterval(wake, CHECK_MS).unref() : undefined;
  wake();

  return {
    async enqueue(tx, { userId, kind, recipient, content }) {
      const { subject, text, html } = content;
      const [row] = await tx.query<{ id: string }>(ENQUEUE, [userId, kind, recipient, subject, text, html, transport !== null]);
      if (!transport) log.warn({ mail: row?.id, kind }, "no mail server is configured: the mail stays in auth.mail_outbox");
    },
    wake,
    async close() {
      closed = true;
      clearInterval(timer);
      // A mail that is not accepted by then is sent again after the next start.
      await Promise.race([sending, delay(CLOSE_WAIT_MS)]);
      transport?.close();
    },
  };
}

const ENQUEUE = `insert into auth.mail_outbox (user_id, kind, recipient, subject, body_text, body_html, next_attempt_at)
  values ($1, $2, $3, $4, $5, $6, case when $7::boolean then now() end) returning id`;

// A mail is claimed before it is sent: one process sends it, and another one retries if that process ends before.
const CLAIM = `update auth.mail_outbox set attempts = attempts + 1, next_attempt_at = now() + $1::text::interval
  where id = (select id from auth.mail_outbox where next_attempt_at <= now() order by next_attempt_at limit 1 for update skip locked)
  returning id, kind, recipient, subject, body_text as text, body_html as html, attempts`;

// 5 s, 10 s, 20 s … at most one hour apart, nearly five hours in total.
const POSTPONE = `update auth.mail_outbox set last_error = $2,
    next_attempt_at = case when attempts < $3 then now() + least(5 * 2 ^ (attempts - 1), 3600) * interval '1 second' end
  where id = $1`;

interface Claimed extends OutgoingMail, Row {
  kind: string;
  attempts: number;
}

/** Sends one due mail; returns false if there is none. */
async function sendNext(database: Database, transport: MailTransport, log: Logger): Promise<boolean> {
  const [mail] = await database.transaction((tx) => tx.query<Claimed>(CLAIM, [LEASE]));
  if (!mail) return false;
  const about = { mail: mail.id, kind: mail.kind, attempts: mail.attempts };
  try {
    await transport.send(mail);
  } catch (error) {
    // Only the code is stored, because the message of a server contains addresses.
    const code = codeOf(error);
    await database.transaction((tx) => tx.query(POSTPONE, [mail.id, code, MAX_ATTEMPTS]));
    if (mail.attempts < MAX_ATTEMPTS) log.warn({ ...about, code }, "a mail could not be sent and is tried again");
    else log.error({ ...about, code }, "a mail could not be sent and stays in auth.mail_outbox");
    return true;
  }
  await database.transaction((tx) => tx.query("delete from auth.mail_outbox where id = $1", [mail.id]));
  log.info(about, "mail sent");
  return true;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if ("responseCode" in error && typeof error.responseCode === "number") return String(error.responseCode);
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
