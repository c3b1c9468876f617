import { useEffect, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import styles from "./delete-button.module.css";

interface DeleteButtonProps {
  /** Unique on the page. */
  id: string;
  /** What would be deleted, in words that tell it from the other rows. */
  what: string;
  question: string;
  /** What it would come to, where the question does not say so. */
  consequence?: string;
  /** What the button says, where the row is not deleted but something else that wants asking. */
  verb?: string;
  busyLabel?: string;
  /** The way out of the question, where "Cancel" would be taken for the verb. */
  keepLabel?: string;
  run: () => Promise<void>;
}

/** A row's Delete, which asks first. */
export function DeleteButton({ id, what, question, consequence, run, ...words }: DeleteButtonProps) {
  const { verb = "Delete", busyLabel = "Deleting...", keepLabel = "Cancel" } = words;
  const [state, setState] = useState<"unasked" | "asking" | "asked" | "busy">("unasked");
  const cancel = useRef<HTMLButtonElement>(null);
  // The dialog would offer its first button, the cross.
  useEffect(() => {
    if (state === "asking") cancel.current?.focus();
  }, [state]);

  async function confirmed(): Promise<void> {
    setState("busy");
    await run();
    setState("asked");
  }

  return (
    <>
      <Button
        look="danger"
        size="small"
        className={styles.quiet}
        disabled={state === "busy"}
        aria-label={`${verb} ${what}`}
        onClick={() => setState("asking")}
      >
        {state === "busy" ? busyLabel : verb}
      </Button>
      {state !== "unasked" && (
        <Dialog
          id={`delete-${id}`}
          open={state === "asking"}
          title={question}
          onClose={() => setState((now) => (now === "asking" ? "asked" : now))}
          actions={
            <>
              <Button ref={cancel} look="plain" onClick={() => setState("asked")}>
                {keepLabel}
              </Button>
              <Button look="danger" onClick={() => void confirmed()}>
                {verb}
              </Button>
            </>
          }
        >
          <p>{what}</p>
          {consequence !== undefined && <p>{consequence}</p>}
        </Dialog>
      )}
    </>
  );
}
