import { londonDate, londonDay } from "../../../time/london-date.ts";
import { Button } from "../../../ui/button.tsx";
import { Message } from "../../../ui/message.tsx";
import type { SaveState } from "./autosave.ts";
import styles from "./save-status.module.css";

interface SaveLineProps {
  state: SaveState;
  /** When it was saved before it was opened, as ISO text. */
  savedBefore: string | undefined;
  /** Saves the draft at once; null where the post is none. */
  save: (() => void) | null;
}

/** Says how the draft stands: saved when, or why not. */
export function SaveLine({ state, savedBefore, save }: SaveLineProps) {
  return (
    <div className={styles.line}>
      {state?.is === "failed" && (
        <Message tone="error">
          <p>{navigator.onLine ? `Not saved: ${state.message}` : "Not saved: there is no connection."}</p>
          <p>It is tried again by itself. What you typed is kept in this tab meanwhile.</p>
        </Message>
      )}
      {state?.is === "held" && (
        <Message tone="error">
          <p>{state.message}</p>
        </Message>
      )}
      {save && (
        <div className={styles.row}>
          <Button look="plain" onClick={save}>
            Save Draft
          </Button>
          <p role="status" className={styles.words}>
            {savedWords(state?.is === "saved" ? state.at.toISOString() : savedBefore)}
          </p>
        </div>
      )}
    </div>
  );
}

function savedWords(at: string | undefined): string {
  if (at === undefined) return "A draft saves itself as you write.";
  const today = londonDay(at) === londonDay(new Date().toISOString());
  return today ? `Saved at ${londonDate(at).time}` : `Saved on ${londonDay(at)}`;
}
