import { use, useLayoutEffect, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { Message } from "../../ui/message.tsx";
import type { Outcome } from "./outcome.ts";
import styles from "./notice.module.css";
import { RoutingContext } from "./routing.tsx";

interface NoticeProps {
  outcome: Outcome;
  /** Runs the undo of the outcome and shows its result. */
  act?: ((action: () => Promise<Outcome>) => Promise<unknown>) | undefined;
}

/** Shows the result of an action; takes the focus, because the control that had it may be gone, but not from somebody who types elsewhere. */
export function Notice({ outcome, act }: NoticeProps) {
  const undo = outcome.ok ? outcome.undo : undefined;
  const { link } = use(RoutingContext);
  const box = useRef<HTMLDivElement>(null);
  const focused = useRef<Outcome>(null);
  // A layout effect, so that a key that is pressed as soon as the notice is on screen reaches it.
  useLayoutEffect(() => {
    if (focused.current === outcome) return;
    focused.current = outcome;
    if (box.current && !isTypingElsewhere(box.current)) box.current.focus();
  }, [outcome]);
  return (
    <div ref={box} tabIndex={-1} className={styles.notice}>
      <Message tone={outcome.ok ? "success" : "error"}>
        <p>{outcome.message}</p>
        {undo && act && (
          <Button look="plain" size="small" onClick={() => void act(undo)}>
            Undo
          </Button>
        )}
        {outcome.next && <p>{link(outcome.next.to, outcome.next.label)}</p>}
      </Message>
    </div>
  );
}

/** True if a text field has the focus that is not in the form of the notice. */
function isTypingElsewhere(box: HTMLElement): boolean {
  const { activeElement } = document;
  const isText = activeElement?.matches("input:not([type=checkbox], [type=file]), textarea, form select, [contenteditable]") === true;
  return isText && box.closest("form")?.contains(activeElement) !== true;
}
