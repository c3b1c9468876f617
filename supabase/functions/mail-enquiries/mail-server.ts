import nodemailer, { type Transporter } from "nodemailer";
import { provider } from "content/provider.ts";

const PATIENCE_MS = 20_000;

/** Opens the mail server of an `smtp://` or `smtps://` address; letters come from `from`, or the provider's own address. */
export function openMailServer(smtpUrl: string, from: string | undefined): Transporter {
  const url = new URL(smtpUrl);
  // A password must not cross the net in the clear because somebody cut STARTTLS out of the greeting.
  if (url.protocol === "smtp:" && url.username !== "" && !isLoopback(url.hostname)) url.searchParams.set("requireTLS", "true");
  for (const limit of ["connectionTimeout", "greetingTimeout", "socketTimeout"]) url.searchParams.set(limit, String(PATIENCE_MS));
  return nodemailer.createTransport(url.href, { from: from ?? { name: provider.name, address: provider.email } });
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}
