import { contactHref } from "./contact-href.ts";

/** An e-mail address or a phone number, to be used with a click; plain text where it is neither. */
export function ContactLink({ contact }: { contact: string }) {
  const href = contactHref(contact);
  return href === null ? contact : <a href={href}>{contact}</a>;
}
