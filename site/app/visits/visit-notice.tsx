import { href } from "react-router";
import { Button } from "../ui/button.tsx";
import styles from "./visit-notice.module.css";

/** The notice about the statistics cookie; a script shows it at the first visit, because nothing is counted without scripts. */
export function VisitNotice() {
  return (
    <aside className={styles.notice} aria-label="Statistics" data-visit-notice="" hidden>
      <p>
        We count page views with our own cookie. <a href={`${href("/privacy-policy")}#the-statistics-cookie`}>Read more or object</a>
      </p>
      <Button look="plain" size="small" className={styles.close}>
        OK
      </Button>
    </aside>
  );
}
