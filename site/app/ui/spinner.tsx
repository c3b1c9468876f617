import styles from "./spinner.module.css";

/** A loading indicator with a text. */
export function Spinner({ label = "Loading…" }: { label?: string }) {
  return (
    <p role="status" className={styles.spinner}>
      {label}
    </p>
  );
}
