import { Button } from "../../../ui/button.tsx";
import { ImageActions } from "./image-actions.tsx";
import type { ImageUpload } from "./image-uploads.ts";
import type { ChosenImage } from "./image-choice.ts";
import styles from "./image-dialog.module.css";

interface ImageUploadCardProps {
  upload: ImageUpload;
  onChosen: (chosen: ChosenImage) => void;
  retry: () => void;
  remove: () => void;
}

/** A file on its way: how far it is, what went wrong, and meanwhile the words that describe it. */
export function ImageUploadCard({ upload, onChosen, retry, remove }: ImageUploadCardProps) {
  const { id, fileName, state, part, preview, name, message } = upload;
  const percent = Math.floor(part * 100);
  const done = state === "done";
  return (
    <li className={styles.card}>
      {preview === undefined ? <span className={styles.thumb} /> : <img src={preview} alt="" className={styles.thumb} />}
      <div className={styles.words}>
        <p className={styles.file}>{fileName}</p>
        {state === "preparing" && <p role="status">Making it ready...</p>}
        {(state === "sending" || state === "failed") && (
          <progress aria-label={`Upload of ${fileName}`} max={100} value={percent}>
            {percent}%
          </progress>
        )}
        <p role="status">
          {state === "sending" && (percent < 100 ? `Uploading... ${percent}%` : "Nearly there...")}
          {done && "Uploaded."}
        </p>
        {message !== undefined && (
          <p role="alert" className={styles.problem}>
            {message}
          </p>
        )}
        {state !== "unusable" && <ImageActions id={id} what={fileName} name={done ? name : undefined} onChosen={onChosen} />}
        <div className={styles.row}>
          {state === "failed" && (
            <Button size="small" onClick={retry}>
              Try again
            </Button>
          )}
          <Button
            look="plain"
            size="small"
            aria-label={`${done || state === "unusable" ? "Put away" : "Cancel"} ${fileName}`}
            onClick={remove}
          >
            {done || state === "unusable" ? "Put away" : "Cancel"}
          </Button>
        </div>
      </div>
    </li>
  );
}
