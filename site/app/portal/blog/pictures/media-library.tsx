import { href } from "react-router";
import { useMemo, useState } from "react";
import { renditionAddress } from "../../../pictures/stored-pictures.ts";
import { browserClient } from "../../../supabase/supabase.client.ts";
import { londonDay } from "../../../time/london-date.ts";
import { Button } from "../../../ui/button.tsx";
import { Message } from "../../../ui/message.tsx";
import { LoadStatus } from "../../frame/load-status.tsx";
import { useLoaded } from "../../frame/use-loaded.ts";
import { DeleteButton } from "../../records/delete-button.tsx";
import { PictureActions, PictureCard, type ChosenPicture } from "./picture-card.tsx";
import { pictureTitle } from "./picture-name.ts";
import { deletePicture, listPictures, type PictureDeletion, type PostWithPicture } from "./queries.ts";
import styles from "./picture-dialog.module.css";

const PAGE = 24;

interface MediaLibraryProps {
  /** The number of completed uploads; the list is read again after each. */
  uploaded: number;
  onChosen: (chosen: ChosenPicture) => void;
}

/** The uploaded pictures, newest first, to use or delete. */
export function MediaLibrary({ uploaded, onChosen }: MediaLibraryProps) {
  const [limit, setLimit] = useState(PAGE);
  const [reads, setReads] = useState(0);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- A change of the others reads the list again.
  const loading = useMemo(() => listPictures(browserClient(), limit), [limit, reads, uploaded]);
  const [deletion, setDeletion] = useState<PictureDeletion | null>(null);
  const [expanded, setExpanded] = useState<string | null>(null);
  const list = useLoaded(loading);
  const load = (): void => setReads(reads + 1);

  async function remove(name: string): Promise<void> {
    setDeletion(null);
    setDeletion(await deletePicture(browserClient(), name));
    load();
  }

  return (
    <section aria-labelledby="media-library">
      <h3 id="media-library">Media library</h3>
      {deletion && <DeletionMessage deletion={deletion} />}
      <LoadStatus result={list} retry={load} />
      {list?.ok && list.pictures.length === 0 && <p>No pictures yet. What you add above appears here.</p>}
      <ul className={styles.cards}>
        {list?.ok &&
          list.pictures.map((picture) => {
            const { name, width, height, added } = picture;
            const title = pictureTitle(name);
            const what = `${title}, ${londonDay(added)}`;
            const isExpanded = expanded === name;
            return (
              <PictureCard
                key={name}
                thumbnail={
                  <img src={renditionAddress(name, { width: 240, height: 180 })} alt={title} loading="lazy" className={styles.thumbnail} />
                }
                title={title}
                actions={isExpanded && <PictureActions id={name} what={what} picture={picture} onChosen={onChosen} />}
              >
                <p className="soft">
                  {width} × {height}, {londonDay(added)}
                </p>
                <div className="row">
                  <Button
                    look="plain"
                    size="small"
                    aria-expanded={isExpanded}
                    aria-label={`Use ${what}`}
                    onClick={() => setExpanded(isExpanded ? null : name)}
                  >
                    Use
                  </Button>
                  <DeleteButton what={what} question="Are you sure you want to delete this picture?" run={() => remove(name)} />
                </div>
              </PictureCard>
            );
          })}
      </ul>
      {list?.ok && list.more && (
        <Button look="plain" onClick={() => setLimit(limit + PAGE)}>
          Show more
        </Button>
      )}
    </section>
  );
}

/** The result of a deletion; takes the focus, because the picture that had it may be gone. */
function DeletionMessage({ deletion }: { deletion: PictureDeletion }) {
  return (
    <div ref={focus} tabIndex={-1}>
      <Message tone={deletion.ok ? "success" : "error"}>
        <p>{deletion.message}</p>
        {!deletion.ok && deletion.posts && (
          <ul>
            {deletion.posts.map((post) => (
              <li key={post.id}>{postLink(post)}</li>
            ))}
          </ul>
        )}
      </Message>
    </div>
  );
}

/** Declared here because React calls a function that is declared in a component again at each render. */
function focus(box: HTMLElement | null): void {
  box?.focus();
}

function postLink({ title, slug, published_at }: PostWithPicture) {
  if (published_at !== null && slug !== null) return <a href={href("/blog/:slug", { slug })}>{title}</a>;
  return `${title || "Untitled draft"} (draft)`;
}
