import { useId, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { browserClient } from "../../../supabase/supabase.client.ts";
import { londonDay } from "../../../time/london-date.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Message } from "../../../ui/message.tsx";
import { CopyField } from "../../forms/copy-field.tsx";
import { outcomeOf, type Loaded, type Outcome } from "../../frame/outcome.ts";
import { useLoaded } from "../../frame/use-loaded.ts";
import { RowAction } from "../../lists/row-actions.tsx";
import { sharePost, stopSharing, type SharedPost } from "./queries.ts";

interface PreviewLinkButtonProps {
  id: string;
  /** The post in words. */
  what: string;
  /** The posts with a preview link. */
  shared: Promise<Loaded<SharedPost>>;
}

/**
 * Opens a dialog with the preview link of a post, and makes one if there is none. A link is shown only when it is made. The button is
 * shown before the links are loaded, because it would move the other buttons of the row.
 */
export function PreviewLinkButton({ id, what, shared: loading }: PreviewLinkButtonProps) {
  const dialogId = useId();
  const links = useLoaded(loading);
  const linkOf = (loaded: Loaded<SharedPost> | undefined): SharedPost | undefined =>
    loaded?.ok ? loaded.rows.find(({ post_id }) => post_id === id) : undefined;
  const shared = linkOf(links);
  const { revalidate } = useRevalidator();
  const [open, setOpen] = useState(false);
  /** Counts openings and closings: a wait for the links ends with the next one. */
  const opened = useRef(0);
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

  async function begin(): Promise<void> {
    setOpen(true);
    setOutcome(null);
    setBusy(true);
    const own = (opened.current += 1);
    const loaded = await loading;
    if (own !== opened.current) return;
    setBusy(false);
    if (!loaded.ok) setOutcome(loaded);
    else if (!linkOf(loaded)) await make();
  }
  function close(): void {
    opened.current += 1;
    setOpen(false);
    setLink(null);
  }

  return (
    <>
      <RowAction label="Share a preview" what={`of ${what}`} run={() => void begin()} />
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
              Changes that you save appear there at once.{" "}
              {link === null ? "The link was shown when it was made; a new link replaces it." : "Copy the link now: it is not shown again."}
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
