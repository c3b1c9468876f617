import type { ReactNode } from "react";
import { noBreak } from "./no-break.ts";
import styles from "./page-head.module.css";

interface PageHeadProps {
  title: string;
  lead?: ReactNode;
  /** The parent page. */
  up: { href: string; label: string };
  /** Shown before the title. */
  picture?: ReactNode;
}

/** The head of a page: a link to its parent, its title and a lead. */
export function PageHead({ title, lead, up, picture }: PageHeadProps) {
  return (
    <div className={styles.head}>
      {picture}
      <div>
        <nav aria-label="Breadcrumb" className={styles.crumbs}>
          <span aria-hidden="true">›</span> <a href={up.href}>{up.label}</a>
        </nav>
        <h1>{noBreak(title)}</h1>
        {lead && <p className={styles.lead}>{typeof lead === "string" ? noBreak(lead) : lead}</p>}
      </div>
    </div>
  );
}
