import { useState, type ComponentProps, type ReactNode } from "react";
import { href, Link } from "react-router";
import { Button } from "../../ui/button.tsx";
import styles from "./row-actions.module.css";

/** The buttons of a row. */
export function RowActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

/** A button of a row; `what` is the record in its accessible name. */
export function RowAction({ label, what, run }: { label: string; what: string; run: () => Promise<unknown> | void }) {
  return (
    <ActionButton aria-label={`${label} ${what}`} run={run}>
      {label}
    </ActionButton>
  );
}

interface ActionButtonProps extends Omit<ComponentProps<typeof Button>, "onClick"> {
  run: () => Promise<unknown> | void;
}

/** A small button that runs its action once: not again while it runs, nor for the second press of a double click. */
export function ActionButton({ run, ...rest }: ActionButtonProps) {
  const [busy, setBusy] = useState(false);

  async function press(): Promise<void> {
    setBusy(true);
    await run();
    setBusy(false);
  }

  return <Button look="plain" size="small" busy={busy} onClick={({ detail }) => detail < 2 && void press()} {...rest} />;
}

/** A link to the changes of a record. */
export function RowHistory({ id, what }: { id: string; what: string }) {
  return (
    <Link to={`${href("/admin/changes")}?record=${id}`} aria-label={`History of ${what}`}>
      History
    </Link>
  );
}
