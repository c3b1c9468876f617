import styles from "./prose.module.css";

/** A long text; `html` must be sanitized. */
export function Prose({ html }: { html: string }) {
  return <div className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />;
}
