import { useId, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";

interface DeleteButtonProps {
  /** The record in words that differ from those of the other rows. */
  what: string;
  question: string;
  /** The effect, if the question does not explain it. */
  consequence?: string;
  /** The label of the button; "Delete" by default. */
  verb?: string;
  busyLabel?: string;
  /** The label of the button that closes the question, if "Cancel" could be mistaken for the action. */
  keepLabel?: string;
  run: () => Promise<unknown>;
}

/** A button that asks for confirmation in a dialog before it deletes. */
export function DeleteButton({ what, question, consequence, run, ...words }: DeleteButtonProps) {
  const { verb = "Delete", busyLabel = "Deleting...", keepLabel = "Cancel" } = words;
  const id = useId();
  const [state, setState] = useState<"unopened" | "open" | "closed" | "busy">("unopened");

  async function confirmed(): Promise<void> {
    setState("busy");
    await run();
    setState("closed");
  }

  return (
    <>
      <Button
        look="danger"
        size="small"
        className="quiet"
        busy={state === "busy"}
        aria-label={`${verb} ${what}`}
        onClick={() => setState("open")}
      >
        {state === "busy" ? busyLabel : verb}
      </Button>
      {state !== "unopened" && (
        <Dialog
          id={id}
          open={state === "open"}
          title={question}
          onClose={() => setState((now) => (now === "open" ? "closed" : now))}
          actions={
            <>
              {/* Without this attribute the dialog would focus its first button. */}
              <Button ref={(button) => button?.setAttribute("autofocus", "")} look="plain" onClick={() => setState("closed")}>
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
