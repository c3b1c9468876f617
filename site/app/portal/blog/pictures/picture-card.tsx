import { useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import type { StoredPicture } from "../../../pictures/stored-pictures.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import styles from "./picture-dialog.module.css";

const LONGEST_ALT = 300;

/** A picture to insert into the text, with its alternative text, or to set as cover image. */
export type ChosenPicture = { picture: StoredPicture } & ({ use: "text"; alt: string } | { use: "cover" });

interface PictureActionsProps {
  /** Unique on the page. */
  id: string;
  /** The name of the picture in the labels of its buttons. */
  what: string;
  /** Null while the picture is not uploaded. */
  picture: StoredPicture | null;
  onChosen: (chosen: ChosenPicture) => void;
}

/** A thumbnail, the title of the picture and details; below them the actions of the picture. */
export function PictureCard({
  thumbnail,
  title,
  actions,
  children,
}: Record<"thumbnail" | "actions" | "children", ReactNode> & { title: string }) {
  return (
    <li className={styles.card}>
      {thumbnail}
      <div className={styles.details}>
        <p className={styles.title}>{title}</p>
        {children}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </li>
  );
}

/** Inserts a picture into the text, which requires alternative text, or sets it as cover image. */
export function PictureActions({ id, what, picture, onChosen }: PictureActionsProps) {
  const field = useRef<HTMLInputElement>(null);
  const [missing, setMissing] = useState(false);

  function insert(): void {
    const alt = field.current?.value.trim() ?? "";
    setMissing(alt === "");
    if (alt === "") field.current?.focus();
    else if (picture) onChosen({ picture, use: "text", alt });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter") return;
    event.preventDefault();
    insert();
  }

  return (
    <>
      <TextField
        ref={field}
        id={`alt-${id}`}
        label="What does it show?"
        hint="Read out to people who do not see it."
        required
        maxLength={LONGEST_ALT}
        error={missing ? "Describe the picture in a few words." : undefined}
        onKeyDown={onKeyDown}
      />
      <div className="row">
        <Button size="small" disabled={!picture} aria-label={`Insert into the text: ${what}`} onClick={insert}>
          Insert into the text
        </Button>
        <Button
          look="plain"
          size="small"
          disabled={!picture}
          aria-label={`Set as cover image: ${what}`}
          onClick={() => picture && onChosen({ picture, use: "cover" })}
        >
          Set as cover image
        </Button>
      </div>
    </>
  );
}
