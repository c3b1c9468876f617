import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { Button } from "../../ui/button.tsx";
import { Message } from "../../ui/message.tsx";
import type { Outcome } from "./outcome.ts";
import styles from "./notice.module.css";

interface NoticeProps {
  outcome: Outcome;
  /** Does what the outcome offers, and says what came of it. */
  act?: ((action: () => Promise<Outcome>) => Promise<void>) | undefined;
}

/** Says what came of an action and takes the focus as it appears, since the control that began it may be gone. */
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
