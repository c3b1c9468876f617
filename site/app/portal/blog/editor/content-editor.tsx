import { useRef, useState, type ComponentProps, type KeyboardEvent } from "react";
import { flushSync } from "react-dom";
import { storedAddress } from "../../../pictures/stored-pictures.ts";
import { Button } from "../../../ui/button.tsx";
import { TextAreaField } from "../../../ui/field.tsx";
import { insertPicture } from "../pictures/insert-picture.ts";
import type { ChosenPicture } from "../pictures/picture-card.tsx";
import { PictureDialog } from "../pictures/picture-dialog.tsx";
import { useUploads } from "../pictures/use-uploads.ts";
import { LONGEST_CONTENT } from "../fields.ts";
import type { Fields } from "../schema.ts";
import { applyChange } from "./apply-change.client.ts";
import { FormatBar, shortcutOf } from "./format-bar.tsx";
import { continueList, format, type Format, type TextChange } from "./formatting.ts";
import { PostPreview } from "./post-preview.tsx";
import styles from "./content-editor.module.css";

// The key code while an input method composes; Safari ends `isComposing` before the Enter that confirms the text.
const COMPOSING = 229;

type ContentEditorProps = Pick<ComponentProps<typeof TextAreaField>, "id" | "name" | "value" | "error" | "onChange"> & {
  /** The fields that the preview shows. */
  fields: Fields;
  /** Called with the address of the new cover image. */
  onCover: (address: string) => void;
};

/** The text of a post in Markdown, with a toolbar, pictures and a preview. */
export function ContentEditor({ fields, onCover, ...control }: ContentEditorProps) {
  const textArea = useRef<HTMLTextAreaElement>(null);
  const uploads = useUploads();
  const [choosing, setChoosing] = useState(false);

  function change(changeOf: (text: string, start: number, end: number) => TextChange): void {
    const area = textArea.current;
    if (area) applyChange(area, changeOf(area.value, area.selectionStart, area.selectionEnd));
  }

  function apply(kind: Format): void {
    change((text, start, end) => format(kind, text, start, end));
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    const isEnter = event.key === "Enter" && event.keyCode !== COMPOSING && !event.shiftKey && selectionStart === selectionEnd;
    const item = isEnter ? continueList(value, selectionStart) : null;
    if (item) {
      event.preventDefault();
      return change(() => item);
    }
    const kind = shortcutOf(event);
    if (!kind) return;
    event.preventDefault();
    apply(kind);
  }

  function upload(event: { preventDefault: () => void }, files: readonly File[]): void {
    if (files.length === 0) return;
    event.preventDefault();
    uploads.add(files);
    setChoosing(true);
  }

  function use(chosen: ChosenPicture): void {
    // While the modal dialog is open the text area cannot take the focus.
    flushSync(() => setChoosing(false));
    if (chosen.use === "cover") onCover(storedAddress(chosen.picture.name));
    else change((text, start, end) => insertPicture(text, start, end, chosen.picture, chosen.alt));
  }

  return (
    <div className={styles.editor}>
      <div className={styles.writing}>
        <div className={`row ${styles.tools}`}>
          <FormatBar controls={control.id} apply={apply} />
          <Button look="plain" size="small" onClick={() => setChoosing(true)}>
            Pictures
          </Button>
        </div>
        <TextAreaField
          {...control}
          ref={textArea}
          label="Content"
          hint="Markdown: a blank line between paragraphs, **bold**, ## for a heading, - for a list."
          rows={20}
          required
          maxLength={LONGEST_CONTENT}
          onKeyDown={onKeyDown}
          onPaste={(event) => upload(event, pastedPictures(event.clipboardData))}
          onDragOver={(event) => {
            if (event.dataTransfer.types.includes("Files")) event.preventDefault();
          }}
          // Without this the browser would leave the page and open the file, whatever its type.
          onDrop={(event) => upload(event, [...event.dataTransfer.files])}
        />
      </div>
      <PostPreview fields={fields} />
      <PictureDialog {...uploads} open={choosing} onChosen={use} onClose={() => setChoosing(false)} />
    </div>
  );
}

/** The pictures of a paste that has no text; a copied table carries its text and a picture of it. */
function pastedPictures(data: DataTransfer): File[] {
  return data.getData("text/plain") === "" ? [...data.files].filter(({ type }) => type.startsWith("image/")) : [];
}
