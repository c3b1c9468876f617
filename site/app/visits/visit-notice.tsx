import styles from "./visit-notice.module.css";

/** The one line a visitor reads at the first visit; a script shows it, for without scripts nothing is counted. */
export function VisitNotice() {
  return (
    <aside className={styles.notice} aria-label="Statistics" data-visit-notice="" hidden>
      <p>
        We count page views with a cookie of our own, to improve this site.{" "}
        <a href="/privacy-policy#the-statistics-cookie">Read more or object</a>
      </p>
      <button type="button" className={styles.close}>
        All right
      </button>
    </aside>
  );
}
