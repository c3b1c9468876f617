import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { usePageKeys } from "../frame/use-page-keys.ts";

interface DiscardQuestionProps {
  /** The unsaved input in words, when Escape is pressed; null if nothing would be discarded. */
  typed: () => string | null;
  /** Closes the form and discards its input. */
  close: () => void;
}

/** Closes the open form on Escape, and asks first if something was typed. */
export function DiscardQuestion({ typed, close }: DiscardQuestionProps) {
  const [state, setState] = useState<{ what: string; isOpen: boolean } | null>(null);

  usePageKeys((event) => {
    if (event.key !== "Escape" || event.defaultPrevented || belongsElsewhere(event.target)) return;
    // Otherwise the same key would close the question.
    event.preventDefault();
    const what = typed();
    if (what === null) close();
    else setState({ what, isOpen: true });
  });

  if (!state) return null;
  const keep = (): void => setState({ ...state, isOpen: false });
  return (
    <Dialog
      id="discard"
      open={state.isOpen}
      title={`Discard ${state.what}?`}
      onClose={keep}
      actions={
        <>
          {/* Without this attribute the dialog would focus its first button. */}
          <Button ref={(button) => button?.setAttribute("autofocus", "")} look="plain" onClick={keep}>
            Keep editing
          </Button>
          <Button look="danger" onClick={close}>
            Discard
          </Button>
        </>
      }
    >
      <p>It is not saved yet.</p>
    </Dialog>
  );
}

/** True while a dialog is open, and for a field outside the form, such as the search of the list. */
function belongsElsewhere(target: EventTarget | null): boolean {
  // The target is not enough: in a dialog whose focused button was removed, it is the body.
  if (document.querySelector("dialog[open]")) return true;
  return target instanceof Element && target.closest("#form") === null && target.matches("input, select, textarea");
}
