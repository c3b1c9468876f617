import { provider } from "content/provider.ts";
import type { Transporter } from "nodemailer";

const PATIENCE_MS = 20_000;

/** Opens the mail server of an `smtp://` or `smtps://` address; letters come from `from`, or the provider's own address. */
export async function openMailServer(smtpUrl: string, from: string | undefined): Promise<Transporter> {
  const url = new URL(smtpUrl);
  // A password must not cross the net in the clear because somebody cut STARTTLS out of the greeting.
  if (url.protocol === "smtp:" && url.username !== "" && !isLoopback(url.hostname)) url.searchParams.set("requireTLS", "true");
  for (const limit of ["connectionTimeout", "greetingTimeout", "socketTimeout"]) url.searchParams.set(limit, String(PATIENCE_MS));
  // Loaded where there is something to send only: it takes 25 MB.
  const { default: nodemailer } = await import("nodemailer");
  return nodemailer.createTransport(url.href, { from: from ?? { name: provider.name, address: provider.email } });
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}
