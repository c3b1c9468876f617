import { provider } from "content/provider.ts";
import { contactHref, whatsAppHref } from "./contact-href.ts";

/** A link to an e-mail address or phone number; plain text for other text. */
export function ContactLink({ contact }: { contact: string }) {
  const href = contactHref(contact);
  if (href === null) return contact;
  return (
    <a className="contact" href={href}>
      {contact}
    </a>
  );
}

interface ContactsProps {
  /** The customer. */
  name: string;
  phone: string | null;
  email: string | null;
}

/** The phone number, with a WhatsApp link for a mobile, and the e-mail address, in a row of a table on a second line. */
export function Contacts({ name, phone, email }: ContactsProps) {
  const whatsApp = phone === null ? null : whatsAppHref(phone, `Hello ${name}, this is ${provider.name}. `);
  return (
    <span className="contacts">
      {phone !== null && <ContactLink contact={phone} />}
      {whatsApp !== null && (
        <>
          {" "}
          <a href={whatsApp} target="_blank" rel="noreferrer" className="soft" aria-label={`WhatsApp to ${name}`}>
            WhatsApp
          </a>
        </>
      )}
      {phone !== null && email !== null && " "}
      {email !== null && (
        <span className={phone === null ? "soft" : "second"}>
          <ContactLink contact={email} />
        </span>
      )}
    </span>
  );
}
