/** Longer addresses of links are cut by some mail programs. */
const LONGEST_HREF = 1900;

/** Returns the e-mail addresses of rows, each once. */
export function addressesOf(rows: readonly { email: string | null }[]): string[] {
  const byAddress = new Map(rows.flatMap(({ email }) => (email === null || email === "" ? [] : [[email.toLowerCase(), email] as const])));
  return [...byAddress.values()];
}

/** The subject and the initial text of a mail. */
export interface MailBegin {
  subject: string;
  body: string;
}

/** Returns the `mailto:` URL of a mail to several people who do not see each other; null if there are none, or too many for one link. */
export function bccHref(addresses: readonly string[], begin?: MailBegin): string | null {
  const bcc = addresses.map((address) => encodeURIComponent(address).replaceAll("%40", "@")).join(",");
  const words = Object.entries(begin ?? {}).map(([name, text]) => `&${name}=${encodeURIComponent(text)}`);
  const href = `mailto:?bcc=${bcc}${words.join("")}`;
  return addresses.length === 0 || href.length > LONGEST_HREF ? null : href;
}
