import type { ReactNode } from "react";
import styles from "./page-head.module.css";

/** The head of a page: a link to its parent, its title and a lead. */
export function PageHead({ title, lead, up }: { title: string; lead?: ReactNode; up: { href: string; label: string } }) {
  return (
    <div className={styles.head}>
      <nav aria-label="Breadcrumb" className={styles.crumbs}>
        <a href={up.href}>{up.label}</a> <span aria-hidden="true">›</span>
      </nav>
      <h1>{title}</h1>
      {lead && <p className={styles.lead}>{lead}</p>}
    </div>
  );
}
