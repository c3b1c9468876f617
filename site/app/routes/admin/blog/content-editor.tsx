import { useRef, type ComponentProps, type KeyboardEvent } from "react";
import { TextAreaField } from "../../../ui/field.tsx";
import type { Fields } from "./fields.ts";
import { format, type Format } from "./formatting.ts";
import { FormatBar, shortcutOf } from "./format-bar.tsx";
import { PostPreview } from "./post-preview.tsx";
import { LONGEST_CONTENT } from "./schema.ts";
import { applyChange } from "./text-change.client.ts";
import styles from "./content-editor.module.css";

type ContentEditorProps = Pick<ComponentProps<typeof TextAreaField>, "id" | "name" | "value" | "error" | "onChange"> & {
  /** What the preview shows. */
  fields: Fields;
};

/** The text of a post in Markdown, with its preview beside it. */
export function ContentEditor({ fields, ...control }: ContentEditorProps) {
  const text = useRef<HTMLTextAreaElement>(null);

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
        <FormatBar controls={control.id} apply={apply} />
        <TextAreaField
          {...control}
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
    </div>
  );
}
