import { useRef, useState, type KeyboardEvent } from "react";
import { pictureOfName } from "../../../pictures/stored-pictures.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import type { ChosenImage } from "./picture-choice.ts";
import styles from "./picture-dialog.module.css";

const LONGEST_ALT = 300;

interface ImageActionsProps {
  /** Unique on the page. */
  id: string;
  /** What the picture is called, to tell its buttons from others. */
  what: string;
  /** What it is called in the storage, once it is there. */
  name: string | undefined;
  onChosen: (chosen: ChosenImage) => void;
}

/** What can be done with a picture: into the text it goes with words for those who do not see it. */
export function ImageActions({ id, what, name, onChosen }: ImageActionsProps) {
  const field = useRef<HTMLInputElement>(null);
  const [missing, setMissing] = useState(false);
  const picture = name === undefined ? null : pictureOfName(name);

  function insert(): void {
    const alt = field.current?.value.trim() ?? "";
    setMissing(alt === "");
    if (alt === "") return field.current?.focus();
    if (picture) onChosen({ ...picture, place: "text", alt });
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
      <div className={styles.row}>
        <Button size="small" disabled={!picture} aria-label={`Insert into the text: ${what}`} onClick={insert}>
          Insert into the text
        </Button>
        <Button
          look="plain"
          size="small"
          disabled={!picture}
          aria-label={`Use as head picture: ${what}`}
          onClick={() => picture && onChosen({ ...picture, place: "head" })}
        >
          Use as head picture
        </Button>
      </div>
    </>
  );
}
