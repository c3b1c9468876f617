import { isIPv6 } from "node:net";
import type { z } from "zod";
import type { emailSchema } from "../../config/auth-email.ts";
import type { MailContent } from "./templates.ts";

/** A mail for the mail server. */
export interface OutgoingMail extends MailContent {
  id: string;
  recipient: string;
}

/** A mail server. */
export interface MailTransport {
  /** Sends a mail. Fails if the server does not accept it. */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

/** The mail server and the sender. The values of the environment replace those of config.toml. */
export interface MailEnvironment {
  /** smtp://user:password@host:587, or smtps:// for TLS from the start. */
  smtpUrl?: string | undefined;
  /** An address, or a name with one in angle brackets. */
  mailFrom?: string | undefined;
}

/** Long enough for a greylisting server, short enough that an unreachable one does not delay other mail. */
const TIMEOUT_MS = 20_000;

/** Creates the connection to the configured mail server; null without one. */
export function createMailTransport(
  { smtpUrl, mailFrom }: MailEnvironment,
  smtp: z.infer<typeof emailSchema>["smtp"],
  siteUrl: string,
): MailTransport | null {
  const configured = smtp.enabled ? smtp : undefined;
  const url = smtpUrl ?? (configured && urlOf(configured));
  if (url === undefined) return null;
  const from =
    mailFrom ?? (configured ? { name: configured.sender_name, address: configured.admin_email } : `no-reply@${new URL(siteUrl).hostname}`);
  // Imported only where mail is sent: it takes 25 MB.
  const transport = import("nodemailer").then(({ default: nodemailer }) =>
    nodemailer.createTransport({
      url,
      requireTLS: requiresTls(new URL(url)),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
    }),
  );
  return {
    async send({ id, recipient, subject, text, html }) {
      // A retry has the same id, so that mail programs show a mail once that was accepted twice.
      const messageId = `<${id}@${new URL(siteUrl).hostname}>`;
      await (await transport).sendMail({ from, to: { name: "", address: recipient }, subject, text, html, messageId });
    },
    close: () => void transport.then((opened) => opened.close()),
  };
}

function urlOf({ host, port, user, pass }: Extract<z.infer<typeof emailSchema>["smtp"], { enabled: true }>): string {
  const account = user === "" ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(pass)}@`;
  return `${port === 465 ? "smtps" : "smtp"}://${account}${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** With a password TLS is required, because an attacker can remove STARTTLS from the greeting. */
function requiresTls({ protocol, username, hostname }: URL): boolean {
  return protocol === "smtp:" && username !== "" && hostname !== "localhost" && hostname !== "[::1]" && !hostname.startsWith("127.");
}
