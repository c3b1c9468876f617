import { useEffect, useState } from "react";
import { londonDay } from "../../../time/london-date.ts";
import { drawnAddress } from "../../../pictures/stored-pictures.ts";
import { browserClient } from "../../../supabase/supabase.client.ts";
import { Button } from "../../../ui/button.tsx";
import { Message } from "../../../ui/message.tsx";
import { DeleteButton } from "../../records/delete-button.tsx";
import { ImageActions } from "./picture-actions.tsx";
import { imageTitle } from "./picture-name.ts";
import { deleteImage, listImages, type ImageDeletion, type ImageUse, type ListedImage } from "./queries.ts";
import type { ChosenImage } from "./picture-choice.ts";
import styles from "./picture-dialog.module.css";

interface ImageLibraryProps {
  onChosen: (chosen: ChosenImage) => void;
}

interface Page {
  /** Null until they have been read. */
  images: readonly ListedImage[] | null;
  more: boolean;
  problem: string | null;
}

/** The pictures that are stored already, to use again or to delete. */
export function ImageLibrary({ onChosen }: ImageLibraryProps) {
  const [page, setPage] = useState<Page>({ images: null, more: false, problem: null });
  const [deletion, setDeletion] = useState<ImageDeletion | null>(null);
  const [deletions, setDeletions] = useState(0);
  const [open, setOpen] = useState<string | null>(null);
  const { images, more, problem } = page;

  useEffect(() => {
    let gone = false;
    void listImages(browserClient(), 0).then((answer) => gone || setPage((now) => withMore(now, answer)));
    return () => {
      gone = true;
    };
  }, []);

  async function load(): Promise<void> {
    const answer = await listImages(browserClient(), images?.length ?? 0);
    setPage((now) => withMore(now, answer));
  }

  async function remove(name: string): Promise<void> {
    const outcome = await deleteImage(browserClient(), name);
    setDeletion(outcome);
    setDeletions((count) => count + 1);
    if (outcome.ok) setPage((now) => ({ ...now, images: now.images?.filter((one) => one.name !== name) ?? null }));
  }

  return (
    <section aria-labelledby="stored-images">
      <h3 id="stored-images">Pictures you have</h3>
      {deletion && (
        <div key={deletions} ref={focusOn} tabIndex={-1}>
          <Message tone={deletion.ok ? "success" : "error"}>
            <p>{deletion.message}</p>
            {!deletion.ok && deletion.uses && <Uses uses={deletion.uses} />}
          </Message>
        </div>
      )}
      {problem !== null && (
        <Message tone="error">
          <p>{problem}</p>
          <Button look="plain" size="small" onClick={() => void load()}>
            Try again
          </Button>
        </Message>
      )}
      {images === null && problem === null && <p role="status">Loading...</p>}
      {images?.length === 0 && <p>None yet. What you add above is kept here.</p>}
      <ul className={styles.images}>
        {images?.map(({ name, width, height, added }) => {
          const title = `${imageTitle(name)}, ${londonDay(added)}`;
          return (
            <li key={name} className={styles.card}>
              <img
                src={drawnAddress(name, { width: 240, height: 180 })}
                alt={imageTitle(name)}
                width="240"
                height="180"
                loading="lazy"
                className={styles.thumb}
              />
              <div className={styles.words}>
                <p className={styles.file}>{imageTitle(name)}</p>
                <p className={styles.soft}>
                  {width} × {height}, {londonDay(added)}
                </p>
                <div className={styles.row}>
                  <Button
                    look="plain"
                    size="small"
                    aria-expanded={open === name}
                    aria-label={`Use ${title}`}
                    onClick={() => setOpen(open === name ? null : name)}
                  >
                    Use
                  </Button>
                  <DeleteButton id={name} what={title} question="Are you sure you want to delete this picture?" run={() => remove(name)} />
                </div>
              </div>
              {open === name && (
                <div className={styles.actions}>
                  <ImageActions id={name} what={title} name={name} onChosen={onChosen} />
                </div>
              )}
            </li>
          );
        })}
      </ul>
      {more && (
        <Button look="plain" onClick={() => void load()}>
          Show more
        </Button>
      )}
    </section>
  );
}

/** The row that was acted on may be far from what is said of it, or gone. */
function focusOn(message: HTMLElement | null): void {
  message?.focus();
}

function withMore(page: Page, answer: Awaited<ReturnType<typeof listImages>>): Page {
  if (!answer.ok) return { ...page, problem: answer.message };
  return { images: [...(page.images ?? []), ...answer.images], more: answer.more, problem: null };
}

function Uses({ uses }: { uses: readonly ImageUse[] }) {
  return (
    <ul>
      {uses.map(({ id, title, slug, published_at }) => (
        <li key={id}>
          {published_at !== null && slug !== null ? (
            <a href={`/blog/${slug}`}>{title}</a>
          ) : (
            `${title === "" ? "A post without a title" : title} (draft)`
          )}
        </li>
      ))}
    </ul>
  );
}
