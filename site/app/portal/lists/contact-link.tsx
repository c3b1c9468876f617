import { contactHref } from "./contact-href.ts";
import styles from "./contact-link.module.css";

/** An e-mail address or a phone number, to be used with a click; plain text where it is neither. */
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

/** How somebody is reached: the phone number above the e-mail address. */
export function Contacts({ phone, email }: { phone: string | null; email: string | null }) {
  return (
    <>
      {phone !== null && <ContactLink contact={phone} />}
      {email !== null && (
        <span className={phone === null ? styles.email : `${styles.email} ${styles.below}`}>
          <ContactLink contact={email} />
        </span>
      )}
    </>
  );
}
