import { ContactBlock } from "../../../frame/contact-block.tsx";
import type { ServerContent } from "../../../document/server-content.ts";
import styles from "./enquiry-section.module.css";

/** The enquiry form, our own or a third party's, beside the contact details. */
export function EnquirySection({ form }: { form: ServerContent }) {
  return (
    <section id="enquiry" aria-labelledby="enquiry-heading" className={styles.section}>
      <div className={`wrap ${styles.columns}`}>
        <div className={styles.form}>
          <h2 id="enquiry-heading">Ask us anything</h2>
          <p>Ask about courses, dates, payment or an expired certificate.</p>
          <div {...form} />
        </div>
        <ContactBlock />
      </div>
    </section>
  );
}
