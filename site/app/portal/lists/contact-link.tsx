import { contactHref } from "./contact-href.ts";

/** A link to an e-mail address or phone number; plain text for other text. */
export function ContactLink({ contact }: { contact: string }) {
  const href = contactHref(contact);
  if (href === null) return contact;
  const host = contact.indexOf("@") + 1;
  return (
    <a href={href}>
      {contact.slice(0, host)}
      <wbr />
      {contact.slice(host)}
    </a>
  );
}

/** The phone number above the e-mail address. */
export function Contacts({ phone, email }: { phone: string | null; email: string | null }) {
  return (
    <>
      {phone !== null && <ContactLink contact={phone} />}
      {email !== null && (
        <span className={phone === null ? "soft" : "second contact"}>
          <ContactLink contact={email} />
        </span>
      )}
    </>
  );
}
