import { provider } from "./provider.ts";

/** Returns the sender of mails: MAIL_FROM, with the provider's name if it is an address only; the provider's address by default. */
export function mailSender(mailFrom?: string): string {
  if (mailFrom?.includes("<")) return mailFrom;
  return `"${provider.name.replaceAll(/["\\]/g, "")}" <${mailFrom || provider.email}>`;
}
