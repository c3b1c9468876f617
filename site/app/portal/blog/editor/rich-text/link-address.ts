const SAFE = /^(?:https?:\/\/|mailto:|tel:|\/(?!\/)|#)\S+$/i;
const MAIL = /^[^\s@/:]+@[^\s@/:]+\.[a-z]+$/i;
const HOST = /^(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/?#]\S*)?$/i;

/** True for an address that a link may have: a web address, an e-mail address, a phone number or a path of this site. */
export function isLinkAddress(address: string): boolean {
  return SAFE.test(address);
}

/** Returns "www.gov.uk" as a web address, and "jo@example.org" as a `mailto:` address. */
export function withScheme(address: string): string {
  if (MAIL.test(address)) return `mailto:${address}`;
  return HOST.test(address) ? `https://${address}` : address;
}
