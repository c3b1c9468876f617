import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { Button } from "../../ui/button.tsx";
import { Message } from "../../ui/message.tsx";
import type { Outcome } from "./outcome.ts";
import styles from "./notice.module.css";

interface NoticeProps {
  outcome: Outcome;
  /** Runs the undo of the outcome and shows its result. */
  act?: ((action: () => Promise<Outcome>) => Promise<void>) | undefined;
}

/** Shows the result of an action; takes the focus, because the control that had it may be gone. */
export function Notice({ outcome, act }: NoticeProps) {
  const undo = outcome.ok ? outcome.undo : undefined;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus();
  }, []);
  return (
    <div ref={box} tabIndex={-1} className={styles.notice}>
      <Message tone={outcome.ok ? "success" : "error"}>
        <p>{outcome.message}</p>
        {undo && act && (
          <Button look="plain" size="small" onClick={() => void act(undo)}>
            Undo
          </Button>
        )}
        {outcome.next && (
          <p>
            <Link to={outcome.next.to}>{outcome.next.label}</Link>
          </p>
        )}
      </Message>
    </div>
  );
}
