import { useId, useState } from "react";
import { useRevalidator } from "react-router";
import { browserClient } from "../../../supabase/supabase.client.ts";
import { londonDay } from "../../../time/london-date.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Message } from "../../../ui/message.tsx";
import { CopyField } from "../../forms/copy-field.tsx";
import { outcomeOf, type Outcome } from "../../frame/outcome.ts";
import { RowAction } from "../../lists/row-actions.tsx";
import { sharePost, stopSharing, type SharedPost } from "./queries.ts";

interface PreviewLinkButtonProps {
  id: string;
  /** The post in words. */
  what: string;
  /** Set if the post has a preview link. */
  shared: SharedPost | undefined;
}

/** Opens a dialog with the preview link of a post, and makes one if there is none. A link is shown only when it is made. */
export function PreviewLinkButton({ id, what, shared }: PreviewLinkButtonProps) {
  const dialogId = useId();
  const { revalidate } = useRevalidator();
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  async function act(action: () => Promise<Outcome>): Promise<void> {
    setBusy(true);
    setLink(null);
    setOutcome(null);
    setOutcome(await outcomeOf(action()));
    setBusy(false);
    await revalidate();
  }
  const make = (): Promise<void> => act(() => sharePost(browserClient(), id, setLink));

  function begin(): void {
    setOpen(true);
    if (shared) setOutcome(null);
    else void make();
  }
  function close(): void {
    setOpen(false);
    setLink(null);
  }

  return (
    <>
      <RowAction label="Share a preview" what={`of ${what}`} run={begin} />
      <Dialog
        id={dialogId}
        open={open}
        onClose={close}
        title="Share a preview"
        actions={
          !busy && (
            <>
              {shared && (
                <Button look="plain" onClick={() => void act(() => stopSharing(browserClient(), id))}>
                  Stop sharing
                </Button>
              )}
              {link === null && (
                <Button look="plain" onClick={() => void make()}>
                  Make a new link
                </Button>
              )}
            </>
          )
        }
      >
        <div className="stack">
          <p>
            <strong>{what}</strong>
          </p>
          {link !== null && <CopyField label="Link" value={link} />}
          {shared ? (
            <p>
              Anybody who has the link can read this post as visitors will see it, without an account, until {londonDay(shared.expires_at)}.
              What you change and save shows there at once.{" "}
              {link === null ? "The link was shown when it was made; a new link replaces it." : "The link is shown only now."}
            </p>
          ) : (
            outcome?.ok === true && link === null && <p>{outcome.message}</p>
          )}
          <div role="status">{busy && "Please wait…"}</div>
          {outcome?.ok === false && (
            <Message tone="error">
              <p>{outcome.message}</p>
            </Message>
          )}
        </div>
      </Dialog>
    </>
  );
}
