import { useRef, useState, type ComponentProps, type KeyboardEvent } from "react";
import { flushSync } from "react-dom";
import { storedAddress } from "../../../pictures/stored-pictures.ts";
import { Button } from "../../../ui/button.tsx";
import { TextAreaField } from "../../../ui/field.tsx";
import { filesOf, pastedPictures } from "../pictures/given-files.ts";
import { insertPicture } from "../pictures/insert-picture.ts";
import type { ChosenPicture } from "../pictures/picture-card.tsx";
import { pictureTitle } from "../pictures/picture-name.ts";
import { PictureDialog } from "../pictures/picture-dialog.tsx";
import { useUploads } from "../pictures/use-uploads.ts";
import { LONGEST_CONTENT } from "../fields.ts";
import type { Fields } from "../schema.ts";
import { applyChange } from "./apply-change.client.ts";
import { FormatBar, shortcutOf } from "./format-bar.tsx";
import { continueList, format, type Format, type TextChange } from "./formatting.ts";
import { markdownTools } from "./markdown-tools.ts";
import { PostPreview } from "./post-preview.tsx";
import type { RichTextHandle } from "./rich-text/rich-text.tsx";
import { useContentView } from "./use-content-view.ts";
import styles from "./content-editor.module.css";

// The key code while an input method composes; Safari ends `isComposing` before the Enter that confirms the text.
const COMPOSING = 229;

type ContentEditorProps = Pick<ComponentProps<typeof TextAreaField>, "id" | "name" | "value" | "error" | "onChange"> & {
  /** The fields that the preview shows. */
  fields: Fields;
  /** Called with the address of the new cover image. */
  onCover: (address: string) => void;
};

const MARKDOWN = "Markdown: a blank line between paragraphs, **bold**, ## for a heading, - for a list.";
const HINTS = {
  rich: "Headings, lists and links stay when you paste from Word or Google Docs.",
  markdown: MARKDOWN,
  html: `This text contains HTML that is not closed, which rich text cannot show. ${MARKDOWN}`,
  failed: `Rich text could not be loaded; reload the page to try again. ${MARKDOWN}`,
};

/** The text of a post as rich text or in Markdown, with a toolbar, pictures and a preview. Its value is that of the text area, also while rich text is shown. */
export function ContentEditor({ fields, onCover, ...control }: ContentEditorProps) {
  const textArea = useRef<HTMLTextAreaElement>(null);
  const richText = useRef<RichTextHandle>(null);
  const uploads = useUploads();
  const [choosing, setChoosing] = useState(false);
  const [cover, setCover] = useState("");
  const { view, editor, switchView, showHtml } = useContentView(textArea);

  function write(markdown: string): void {
    const area = textArea.current;
    if (!area) return;
    // Through the text area, so that the form stores and saves the text as if it was typed there.
    area.setRangeText(markdown, 0, area.value.length, "end");
    area.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }

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
    const kind = shortcutOf(markdownTools, event);
    if (!kind) return;
    event.preventDefault();
    apply(kind);
  }

  function upload(event: { preventDefault: () => void }, files: readonly File[]): boolean {
    if (files.length === 0) return false;
    event.preventDefault();
    uploads.add(files);
    setChoosing(true);
    return true;
  }

  function use(chosen: ChosenPicture): void {
    // While the modal dialog is open the text area cannot take the focus.
    flushSync(() => setChoosing(false));
    if (chosen.use === "cover") {
      onCover(storedAddress(chosen.picture.name));
      setCover(pictureTitle(chosen.picture.name));
    } else if (view === "rich") richText.current?.insertPicture(storedAddress(chosen.picture.name), chosen.alt.trim().replace(/\s+/g, " "));
    else change((text, start, end) => insertPicture(text, start, end, chosen.picture, chosen.alt));
  }

  return (
    <div className={styles.editor}>
      <div className={`${styles.writing} ${view === "rich" ? styles.rich : ""}`}>
        <div className={`row ${styles.beside}`}>
          <Button look="plain" size="small" onClick={() => setChoosing(true)}>
            Pictures
          </Button>
          {/* Until a reload, browsers do not load a failed script again. */}
          {view !== "failed" && (
            <Button look="plain" size="small" onClick={switchView}>
              {view === "rich" ? "Markdown" : "Rich text"}
            </Button>
          )}
        </div>
        {view === "rich" && editor ? (
          <editor.RichText
            ref={richText}
            id={control.id}
            value={String(control.value)}
            isWrong={control.error !== undefined}
            onChange={write}
            onUnopenable={showHtml}
            onFiles={(event) => upload(event, filesOf(event))}
          />
        ) : (
          <FormatBar controls={control.id} tools={markdownTools} apply={apply} />
        )}
        <TextAreaField
          {...control}
          ref={textArea}
          label="Content"
          hint={HINTS[view]}
          // Its label and the first error of a form focus the text area, which is invisible behind rich text.
          {...(view === "rich" && { "aria-hidden": true, tabIndex: -1, onFocus: () => richText.current?.focus() })}
          rows={20}
          required
          maxLength={LONGEST_CONTENT}
          onKeyDown={onKeyDown}
          onPaste={(event) => void upload(event, pastedPictures(event.clipboardData))}
          onDragOver={(event) => {
            if (event.dataTransfer.types.includes("Files")) event.preventDefault();
          }}
          // Without this the browser would leave the page and open the file, whatever its type.
          onDrop={(event) => void upload(event, [...event.dataTransfer.files])}
        />
      </div>
      <p role="status" className="visually-hidden">
        {cover !== "" && `Cover image: ${cover}`}
      </p>
      <PostPreview fields={fields} />
      <PictureDialog {...uploads} open={choosing} onChosen={use} onClose={() => setChoosing(false)} />
    </div>
  );
}
