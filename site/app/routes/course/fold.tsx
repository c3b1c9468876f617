import type { ReactNode } from "react";
import styles from "./fold.module.css";

/** A section of a course page that a visitor opens; its heading is always visible. */
export function Fold({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className={styles.fold}>
      <details>
        <summary>
          <h2 id={id}>{title}</h2>
        </summary>
        <div className={styles.content}>{children}</div>
      </details>
    </section>
  );
}
