import { useEffect, useId, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Dialog } from "../../../ui/dialog.tsx";
import { ImageLibrary } from "./media-library.tsx";
import { ImageUploadCard } from "./upload-card.tsx";
import { useImageUploads } from "./use-uploads.ts";
import type { ChosenImage } from "./picture-choice.ts";
import styles from "./picture-dialog.module.css";

const ACCEPTED = "image/jpeg,image/png,image/webp,image/avif,image/gif,image/heic,image/heif";

interface ImageDialogProps {
  open: boolean;
  /** Files that were pasted or dropped; each list is taken once. */
  given: readonly File[];
  onChosen: (chosen: ChosenImage) => void;
  onClose: () => void;
}

/** Adds pictures to the storage and chooses among them; uploads go on while it is closed. */
export default function ImageDialog({ open, given, onChosen, onClose }: ImageDialogProps) {
  const { uploads, add, retry, remove } = useImageUploads();
  const [over, setOver] = useState(false);
  const taken = useRef<readonly File[]>([]);
  const chooser = useId();
  const arrived = uploads.filter(({ state }) => state === "done").length;

  useEffect(() => {
    if (given === taken.current) return;
    taken.current = given;
    if (given.length > 0) add(given);
  }, [given, add]);

  // Out of the editor's form, in the document and for React: what is typed or sent here is none of its fields.
  return createPortal(
    <div onSubmit={(event) => event.stopPropagation()} onInput={(event) => event.stopPropagation()}>
      <Dialog id="post-images" open={open} title="Pictures" onClose={onClose}>
        <div
          className={over ? `${styles.drop} ${styles.over}` : styles.drop}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            setOver(false);
            add([...event.dataTransfer.files]);
          }}
        >
          <label htmlFor={chooser}>Choose pictures, or drop them here</label>
          <input
            id={chooser}
            type="file"
            accept={ACCEPTED}
            multiple
            onChange={({ currentTarget }) => {
              add([...(currentTarget.files ?? [])]);
              currentTarget.value = "";
            }}
          />
          <p className={styles.soft}>
            JPEG, PNG, WebP or AVIF. They are made smaller here, and what a camera notes of place and time is removed.
          </p>
        </div>
        <ul className={styles.images}>
          {uploads.map((upload) => (
            <ImageUploadCard
              key={upload.id}
              upload={upload}
              onChosen={onChosen}
              retry={() => retry(upload.id)}
              remove={() => remove(upload.id)}
            />
          ))}
        </ul>
        {open && <ImageLibrary key={arrived} onChosen={onChosen} />}
      </Dialog>
    </div>,
    document.body,
  );
}
