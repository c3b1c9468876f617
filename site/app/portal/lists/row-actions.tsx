import type { ReactNode } from "react";
import { Link } from "react-router";
import { Button } from "../../ui/button.tsx";
import styles from "./row-actions.module.css";

/** The buttons of a row, beside each other where there is room. */
export function RowActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

/** A button of a row; `what` tells it from those of the other rows. */
export function RowAction({ label, what, run }: { label: string; what: string; run: () => void }) {
  return (
    <Button look="plain" size="small" aria-label={`${label} ${what}`} onClick={run}>
      {label}
    </Button>
  );
}

/** The way from a row to everything that was ever changed of it. */
export function RowHistory({ id, what }: { id: string; what: string }) {
  return (
    <Link to={`/admin/changes?record=${id}`} aria-label={`History of ${what}`}>
      History
    </Link>
  );
}
