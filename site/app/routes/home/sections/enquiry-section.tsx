import { useState } from "react";
import { ContactBlock } from "../../../frame/contact-block.tsx";
import type { ServerContent } from "../../../document/server-content.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import styles from "./enquiry-section.module.css";

/** The enquiry form: our own, or a third party's after the visitor chooses to load it. */
export function EnquirySection({ form, formUrl }: { form: ServerContent; formUrl: string | null }) {
  return (
    <section id="enquiry" aria-labelledby="enquiry-heading" className={styles.section}>
      <div className={`wrap ${styles.columns}`}>
        <div className={styles.form}>
          <h2 id="enquiry-heading">Ask us anything</h2>
          <p>Ask about courses, dates, payment or an expired certificate.</p>
          {formUrl === null ? <div {...form} /> : <EmbeddedForm url={formUrl} />}
        </div>
        <ContactBlock />
      </div>
    </section>
  );
}

function EmbeddedForm({ url }: { url: string }) {
  const [open, setOpen] = useState(false);
  if (open) {
    return (
      // The form is on another origin, so that both permissions together do not break the sandbox.
      // oxlint-disable-next-line react/iframe-missing-sandbox
      <iframe src={url} title="Enquiry form" sandbox="allow-forms allow-popups allow-same-origin allow-scripts" className={styles.embed} />
    );
  }
  return (
    <p className={styles.open}>
      <ButtonLink
        href={url}
        onClick={(event) => {
          event.preventDefault();
          setOpen(true);
        }}
      >
        Open the enquiry form
      </ButtonLink>
      <span>The form is run by {new URL(url).host}. Opening it connects you to them.</span>
    </p>
  );
}
