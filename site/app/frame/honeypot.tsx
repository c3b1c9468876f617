import styles from "./enquiry-form.module.css";

/** A field hidden from people: a form that fills it in is from a bot and is not stored. */
export function Honeypot() {
  return (
    <div className={styles.honeypot} aria-hidden="true">
      <label>
        Leave this empty <input name="website" tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  );
}
