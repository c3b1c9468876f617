import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { Message } from "../../ui/message.tsx";
import type { Outcome } from "./outcome.ts";
import styles from "./notice.module.css";

/** Says what came of an action and takes the focus as it appears, since the control that began it may be gone. */
export function Notice({ outcome }: { outcome: Outcome }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus();
  }, []);
  return (
    <div ref={box} tabIndex={-1} className={styles.notice}>
      <Message tone={outcome.ok ? "success" : "error"}>
        <p>{outcome.message}</p>
        {!outcome.ok && outcome.next && (
          <p>
            <Link to={outcome.next.to}>{outcome.next.label}</Link>
          </p>
        )}
      </Message>
    </div>
  );
}
