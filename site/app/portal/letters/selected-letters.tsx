import { browserClient } from "../../supabase/supabase.client.ts";
import { Button } from "../../ui/button.tsx";
import { counted } from "../frame/counted.ts";
import type { Outcome } from "../frame/outcome.ts";
import type { Letter } from "./fields.ts";
import { changeLetters } from "./queries.ts";

interface SelectedLettersProps {
  letters: readonly Letter[];
  canSend: (letter: Letter) => boolean;
  act: (action: () => Promise<Outcome>) => Promise<Outcome>;
  /** Clears the selection. */
  clear: () => void;
}

/** The actions on selected letters: send those again that failed, and stop those that are not sent. */
export function SelectedLetters({ letters, canSend, act, clear }: SelectedLettersProps) {
  const failed = letters.filter((letter) => letter.state === "failed" && canSend(letter));
  const open = letters.filter(({ state }) => state === "failed" || state === "waiting");

  async function run(chosen: readonly Letter[], name: "send" | "withdraw"): Promise<void> {
    const { ok } = await act(() =>
      changeLetters(
        browserClient(),
        chosen.map(({ id }) => id),
        name,
      ),
    );
    if (ok) clear();
  }

  return (
    <>
      {failed.length > 0 && (
        <Button look="plain" size="small" onClick={() => void run(failed, "send")}>
          Send {failed.length} again
        </Button>
      )}
      {open.length > 0 && (
        <Button look="plain" size="small" onClick={() => void run(open, "withdraw")}>
          Do not send {counted(open.length, "letter")}
        </Button>
      )}
      {open.length === 0 && <span>Only letters that wait or failed can be sent or stopped.</span>}
    </>
  );
}
