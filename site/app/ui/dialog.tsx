import { useEffect, useRef, type ReactNode, type SyntheticEvent } from "react";
import styles from "./dialog.module.css";

interface DialogProps {
  /** Unique on the page. */
  id: string;
  title: string;
  children: ReactNode;
  /** The buttons, the primary one last. */
  actions?: ReactNode;
}

/** A modal dialog controlled by `open`; Escape and the close button call `onClose`. */
export function Dialog({ open, onClose, ...rest }: DialogProps & { open: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);

  function closed({ target, currentTarget }: SyntheticEvent): void {
    // React bubbles the close event of a nested dialog.
    if (target === currentTarget) onClose();
  }

  return (
    <dialog ref={dialog} id={rest.id} className={styles.dialog} aria-labelledby={`${rest.id}-title`} onClose={closed}>
      <DialogBody {...rest} />
    </dialog>
  );
}

/** The same dialog for pages without React in the browser: a script opens it by its id, its form closes it. */
export function DocumentDialog(props: DialogProps) {
  return (
    <dialog id={props.id} className={styles.dialog} aria-labelledby={`${props.id}-title`}>
      <DialogBody {...props} />
    </dialog>
  );
}

function DialogBody({ id, title, children, actions }: DialogProps) {
  return (
    <>
      <form method="dialog" className={styles.head}>
        <h2 id={`${id}-title`}>{title}</h2>
        <button className={styles.close} aria-label="Close">
          ×
        </button>
      </form>
      {children}
      {actions && <div className={styles.actions}>{actions}</div>}
    </>
  );
}
