import { provider } from "content/provider.ts";
import styles from "./contact-block.module.css";

/** The layout of the block: one sentence, a vertical list, the footer, or a panel. */
type ContactVariant = "inline" | "vertical" | "footer" | "default";

/** Name, address, phone and e-mail of the provider. */
export function ContactBlock({ variant = "default" }: { variant?: ContactVariant }) {
  const { name, address, phone, phoneHref, mobile, mobileHref, email, openingHours } = provider;
  const postalAddress = (
    <>
      {`${address.street}, ${address.locality}, ${address.region} `}
      <span className={styles.postalCode}>{address.postalCode}</span>
    </>
  );
  const call = <a href={phoneHref}>{phone}</a>;
  const write = <a href={`mailto:${email}`}>{email}</a>;

  if (variant === "inline") {
    return (
      <address className={styles.inline}>
        {name}, {postalAddress}. Call {call} or write to {write}.
      </address>
    );
  }
  return (
    <address className={[styles.block, styles[variant]].filter(Boolean).join(" ")}>
      <p className={styles.name}>{name}</p>
      <dl className={styles.list}>
        <div>
          <dt>Phone</dt>
          <dd className="number">{call}</dd>
          {mobile && (
            <dd className="number">
              <a href={mobileHref}>{mobile}</a>
            </dd>
          )}
        </div>
        <div>
          <dt>E-mail</dt>
          <dd>{write}</dd>
        </div>
        <div>
          <dt>Address</dt>
          <dd>{postalAddress}</dd>
        </div>
        <div>
          <dt>Office hours</dt>
          <dd>{openingHours.text}</dd>
        </div>
      </dl>
    </address>
  );
}
