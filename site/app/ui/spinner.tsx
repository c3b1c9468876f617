import styles from "./spinner.module.css";

/** Says that something is on its way, in words as well as in motion. */
export function Spinner({ label = "Loading…" }: { label?: string }) {
  return (
    <p role="status" className={styles.spinner}>
      {label}
    </p>
  );
}
