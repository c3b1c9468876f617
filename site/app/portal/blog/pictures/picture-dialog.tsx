import { useId, useRef, type MouseEvent } from "react";
import { createPortal } from "react-dom";
import { pictureOfName } from "../../../pictures/stored-pictures.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { MediaLibrary } from "./media-library.tsx";
import { PictureActions, PictureCard, type ChosenPicture } from "./picture-card.tsx";
import type { Upload, Uploads } from "./use-uploads.ts";
import styles from "./picture-dialog.module.css";

const ACCEPTED = "image/jpeg,image/png,image/webp,image/avif,image/gif,image/heic,image/heif";
const STATUS: Record<Upload["state"], string> = { preparing: "Preparing…", uploading: "Uploading…", done: "Uploaded.", failed: "" };

interface PictureDialogProps extends Uploads {
  open: boolean;
  onChosen: (chosen: ChosenPicture) => void;
  onClose: () => void;
}

/** Uploads pictures and offers the media library; uploads continue while the dialog is closed. */
export function PictureDialog({ open, onChosen, onClose, uploads, add, retry, remove }: PictureDialogProps) {
  const chooser = useId();
  const input = useRef<HTMLInputElement>(null);
  const completed = uploads.filter(({ state }) => state === "done").length;

  // In a React portal and without bubbling, because the dialog must not submit or change the editor's form.
  return createPortal(
    <div onSubmit={(event) => event.stopPropagation()} onInput={(event) => event.stopPropagation()}>
      <Dialog id="post-pictures" open={open} title="Pictures" onClose={onClose}>
        <div
          className={styles.drop}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            add([...event.dataTransfer.files]);
          }}
        >
          <label htmlFor={chooser}>Choose pictures, or drop them here</label>
          <input
            ref={input}
            id={chooser}
            type="file"
            accept={ACCEPTED}
            multiple
            onChange={({ currentTarget }) => {
              add([...(currentTarget.files ?? [])]);
              currentTarget.value = "";
            }}
          />
          <p className="soft">JPEG, PNG, WebP or AVIF. Large pictures are made smaller, and the place and time in them are removed.</p>
        </div>
        <ul className={styles.cards}>
          {uploads.map((upload) => (
            <UploadCard
              key={upload.id}
              upload={upload}
              onChosen={onChosen}
              retry={() => retry(upload)}
              remove={() => {
                remove(upload);
                input.current?.focus();
              }}
            />
          ))}
        </ul>
        {open && <MediaLibrary uploaded={completed} onChosen={onChosen} />}
      </Dialog>
    </div>,
    document.body,
  );
}

interface UploadCardProps {
  upload: Upload;
  onChosen: (chosen: ChosenPicture) => void;
  retry: () => void;
  remove: () => void;
}

/** One upload with its progress; its alternative text can be written meanwhile. */
function UploadCard({ upload: { id, fileName, state, message, name, picture }, onChosen, retry, remove }: UploadCardProps) {
  const ended = state === "done" || (state === "failed" && !picture);
  const removeLabel = ended ? "Dismiss" : "Cancel";
  return (
    <PictureCard
      thumbnail={<img src={picture?.thumbnail} alt="" className={styles.thumbnail} />}
      title={fileName}
      actions={
        (state !== "failed" || picture) && (
          <PictureActions
            id={String(id)}
            what={fileName}
            picture={state === "done" && name !== undefined ? pictureOfName(name) : null}
            onChosen={onChosen}
          />
        )
      }
    >
      {state === "uploading" && <progress aria-label={`Upload of ${fileName}`} />}
      <p role="status">{STATUS[state]}</p>
      {state === "failed" && (
        <p role="alert" className="problem">
          {message}
        </p>
      )}
      <div className="row">
        {state === "failed" && picture && (
          <Button
            size="small"
            onClick={(event) => {
              focusCard(event);
              retry();
            }}
          >
            Try again
          </Button>
        )}
        <Button look="plain" size="small" aria-label={`${removeLabel} ${fileName}`} onClick={remove}>
          {removeLabel}
        </Button>
      </div>
    </PictureCard>
  );
}

/** Moves the focus from a button that will be removed to its card. */
function focusCard({ currentTarget }: MouseEvent<HTMLButtonElement>): void {
  const card = currentTarget.closest("li");
  if (!card) return;
  card.tabIndex = -1;
  card.focus();
}
