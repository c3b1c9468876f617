import { londonDate, londonDay } from "../../../time/london-date.ts";
import { Button } from "../../../ui/button.tsx";
import { Message } from "../../../ui/message.tsx";
import type { SaveState } from "./autosave.ts";

interface SaveStatusProps {
  state: SaveState | null;
  /** The time of the last save as ISO text. */
  savedAt: string | undefined;
  /** Saves the draft now; null if the post is not a draft. */
  save: (() => void) | null;
}

/** Shows when a draft was saved, or why it was not. */
export function SaveStatus({ state, savedAt, save }: SaveStatusProps) {
  return (
    <div className="stack wide">
      {state?.is === "failed" && (
        <Message tone="error">
          <p>{navigator.onLine ? `Not saved: ${state.message}` : "Not saved: there is no connection."}</p>
          <p>We’ll keep retrying. Your text is saved in this tab.</p>
        </Message>
      )}
      {state?.is === "conflict" && (
        <Message tone="error">
          <p>{state.message}</p>
        </Message>
      )}
      {save && (
        <div className="row">
          <Button look="plain" onClick={save}>
            Save draft
          </Button>
          <p role="status" className="soft">
            {savedText(savedAt)}
          </p>
        </div>
      )}
    </div>
  );
}

function savedText(savedAt: string | undefined): string {
  if (savedAt === undefined) return "Your draft is saved as you write.";
  const isToday = londonDay(savedAt) === londonDay(new Date().toISOString());
  return isToday ? `Saved at ${londonDate(savedAt).time}` : `Saved on ${londonDay(savedAt)}`;
}
