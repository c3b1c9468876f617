import { Button } from "../../../ui/button.tsx";
import { ImageActions } from "./picture-actions.tsx";
import type { ImageUpload } from "./use-uploads.ts";
import type { ChosenImage } from "./picture-choice.ts";
import styles from "./picture-dialog.module.css";

interface ImageUploadCardProps {
  upload: ImageUpload;
  onChosen: (chosen: ChosenImage) => void;
  retry: () => void;
  remove: () => void;
}

// Without the figures, which would be read out one after the other.
const STATUS: Partial<Record<ImageUpload["state"], string>> = {
  preparing: "Making it ready...",
  sending: "Uploading...",
  done: "Uploaded.",
};

/** A file on its way: how far it is, what went wrong, and meanwhile the words that describe it. */
export function ImageUploadCard({ upload, onChosen, retry, remove }: ImageUploadCardProps) {
  const { id, fileName, state, part, preview, name, message } = upload;
  const percent = Math.floor(part * 100);
  const done = state === "done";
  const ended = done || state === "unusable";
  return (
    <li className={styles.card}>
      {preview === undefined ? <span className={styles.thumb} /> : <img src={preview} alt="" className={styles.thumb} />}
      <div className={styles.words}>
        <div className={styles.head}>
          <p className={styles.file}>{fileName}</p>
          <Button look="plain" size="small" aria-label={`${ended ? "Put away" : "Cancel"} ${fileName}`} onClick={remove}>
            {ended ? "Put away" : "Cancel"}
          </Button>
        </div>
        {(state === "sending" || state === "failed") && (
          <div className={styles.progress}>
            <progress aria-label={`Upload of ${fileName}`} max={100} value={percent} />
            <span>{percent}%</span>
          </div>
        )}
        <p role="status" className={styles.status}>
          {STATUS[state]}
        </p>
        {message !== undefined && (
          <p role="alert" className={styles.problem}>
            {message}
          </p>
        )}
        {state === "failed" && (
          <div className={styles.row}>
            <Button size="small" onClick={retry}>
              Try again
            </Button>
          </div>
        )}
      </div>
      {state !== "unusable" && (
        <div className={styles.actions}>
          <ImageActions id={id} what={fileName} name={done ? name : undefined} onChosen={onChosen} />
        </div>
      )}
    </li>
  );
}
