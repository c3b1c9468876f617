import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { Button } from "../../ui/button.tsx";
import styles from "./row-actions.module.css";

/** The buttons of a row. */
export function RowActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

/** A button of a row; `what` is the record in its accessible name. */
export function RowAction({ label, what, run }: { label: string; what: string; run: () => void }) {
  return (
    <Button look="plain" size="small" aria-label={`${label} ${what}`} onClick={run}>
      {label}
    </Button>
  );
}

/** A link to the changes of a record. */
export function RowHistory({ id, what }: { id: string; what: string }) {
  return (
    <Link to={`${href("/admin/changes")}?record=${id}`} aria-label={`History of ${what}`}>
      History
    </Link>
  );
}
