import { lazy, useEffect, useRef, useState, type ComponentType } from "react";
import { Button } from "../../ui/button.tsx";
import { Message } from "../../ui/message.tsx";

/** A component whose script is loaded when it is first rendered; if that fails, a message with a retry. */
export function lazyPart<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => load().catch((): { default: ComponentType<Props> } => ({ default: NotLoaded })));
}

/** The message and its retry, which takes the focus unless somebody types elsewhere. */
function NotLoaded() {
  const [tries, setTries] = useState(0);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!document.activeElement?.matches("input, select, textarea")) button.current?.focus();
  }, []);

  /** Reloads the page, because browsers do not load a failed script again. Unsaved input is stored, filters are in the URL. */
  async function retry(): Promise<void> {
    const isReachable = await fetch(location.href, { method: "HEAD", cache: "no-store" }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReachable) location.reload();
    else setTries(tries + 1);
  }

  return (
    <div className="stack">
      <Message key={tries} tone="error">
        <p>This part of the page could not be loaded. What you typed is kept.</p>
      </Message>
      <div>
        <Button ref={button} look="plain" size="small" onClick={() => void retry()}>
          Try Again
        </Button>
      </div>
    </div>
  );
}
