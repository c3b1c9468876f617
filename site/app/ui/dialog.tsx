import { useEffect, useLayoutEffect, useRef, type ReactNode, type SyntheticEvent } from "react";
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
  useLayoutEffect(() => {
    const element = dialog.current;
    // The focus returns only from a dialog that is closed before it leaves the document.
    return () => element?.close();
  }, []);

  // React bubbles the events of a nested dialog and of a file field.
  function close(event: SyntheticEvent): void {
    if (event.target !== event.currentTarget) return;
    // The browser would return the focus a frame before the close event, and a key that opens the dialog again could come between them.
    event.preventDefault();
    onClose();
  }
  function closed({ target, currentTarget }: SyntheticEvent<HTMLDialogElement>): void {
    // The event comes in the next frame, when the dialog may be open again.
    if (target === currentTarget && !currentTarget.open) onClose();
  }

  return (
    <dialog ref={dialog} id={rest.id} className={styles.dialog} aria-labelledby={`${rest.id}-title`} onCancel={close} onClose={closed}>
      <DialogBody {...rest} onSubmit={close} />
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

function DialogBody({ id, title, children, actions, onSubmit }: DialogProps & { onSubmit?: (event: SyntheticEvent) => void }) {
  return (
    <>
      <form method="dialog" className={styles.head} onSubmit={onSubmit}>
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
