import { useRef, type ComponentProps, type KeyboardEvent } from "react";
import { Button } from "../../../ui/button.tsx";
import { TextAreaField } from "../../../ui/field.tsx";
import type { Fields } from "./fields.ts";
import { format, type Format } from "./formatting.ts";
import { FormatBar, shortcutOf } from "./format-bar.tsx";
import { PostImages, usePostImages } from "../pictures/use-pictures.tsx";
import { PostPreview } from "./post-preview.tsx";
import { LONGEST_CONTENT } from "../schema.ts";
import { applyChange } from "./apply-change.client.ts";
import styles from "./content-editor.module.css";

type ContentEditorProps = Pick<ComponentProps<typeof TextAreaField>, "id" | "name" | "value" | "error" | "onChange"> & {
  /** What the preview shows. */
  fields: Fields;
  /** Takes the address of the picture at the head of the post. */
  onHead: (address: string) => void;
};

/** The text of a post in Markdown, with its preview beside it. */
export function ContentEditor({ fields, onHead, ...control }: ContentEditorProps) {
  const text = useRef<HTMLTextAreaElement>(null);
  const images = usePostImages();

  function apply(kind: Format): void {
    const area = text.current;
    if (area) applyChange(area, format(kind, area.value, area.selectionStart, area.selectionEnd));
  }

  function follow(event: KeyboardEvent): void {
    const kind = shortcutOf(event);
    if (!kind) return;
    event.preventDefault();
    apply(kind);
  }

  return (
    <div className={styles.editor}>
      <div className={styles.writing}>
        <div className={styles.tools}>
          <FormatBar controls={control.id} apply={apply} />
          <Button look="plain" size="small" onClick={images.show}>
            Pictures
          </Button>
        </div>
        <TextAreaField
          {...control}
          {...images.textAreaProps}
          ref={text}
          label="Content"
          hint="Markdown: a blank line between paragraphs, **bold**, ## for a heading, - for a list."
          rows={20}
          required
          maxLength={LONGEST_CONTENT}
          onKeyDown={follow}
        />
      </div>
      <PostPreview fields={fields} />
      <PostImages images={images} textArea={text} onHead={onHead} />
    </div>
  );
}
