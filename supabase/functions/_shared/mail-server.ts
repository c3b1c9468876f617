import { mailSender } from "content/mail-sender.ts";
import type { Transporter } from "nodemailer";
import { environmentOf, type FunctionContext } from "./runtime.ts";

const TIMEOUT_MS = 20_000;

/** Opens the mail server of SMTP_URL; null without one. Mails are sent from MAIL_FROM, or else from the provider's own address. */
export async function openMailServer(context: FunctionContext): Promise<Transporter | null> {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = environmentOf(context);
  if (!smtpUrl) return null;
  const url = new URL(smtpUrl);
  // Without this an attacker who removes STARTTLS from the greeting gets the password in clear text.
  if (url.protocol === "smtp:" && url.username !== "" && !isLoopback(url.hostname)) url.searchParams.set("requireTLS", "true");
  for (const limit of ["connectionTimeout", "greetingTimeout", "socketTimeout"]) url.searchParams.set(limit, String(TIMEOUT_MS));
  // Loaded on first use: it takes 25 MB of memory.
  const { default: nodemailer } = await import("nodemailer");
  return nodemailer.createTransport(url.href, { from: mailSender(from) });
}

/** True if mails are sent. */
export function hasMailServer(context: FunctionContext): boolean {
  return Boolean(environmentOf(context).SMTP_URL);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}
