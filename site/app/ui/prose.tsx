import styles from "./prose.module.css";

/** A text of some length, from HTML that has been made safe. */
export function Prose({ html }: { html: string }) {
  return <div className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />;
}
