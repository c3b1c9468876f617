import { ButtonLink } from "../ui/button.tsx";
import styles from "./embedded-form.module.css";

/** A third party's enquiry form: a link, which site-chrome.client.ts replaces with the form when the visitor follows it. */
export function EmbeddedForm({ url }: { url: string }) {
  return (
    <div className={styles.open} data-embedded-form="">
      <ButtonLink href={url}>Open the enquiry form</ButtonLink>
      <p>The form is run by {new URL(url).host}. Opening it connects you to them.</p>
      <template>
        {/* The form is on another origin, so that both permissions together do not break the sandbox. */}
        {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
        <iframe src={url} title="Enquiry form" sandbox="allow-forms allow-popups allow-same-origin allow-scripts" className={styles.form} />
      </template>
    </div>
  );
}
