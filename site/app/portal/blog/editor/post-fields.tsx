import { useEffect, useEffectEvent, useLayoutEffect, useState } from "react";
import { SelectField, TextField } from "../../../ui/field.tsx";
import type { FormState } from "../../forms/portal-form.tsx";
import type { FormValues } from "../../forms/unsaved-form.ts";
import { isOwnPath, LONGEST_TITLE, postFields } from "../fields.ts";
import { differences, fieldsOf, type Fields, type PostStatus } from "../schema.ts";
import { freeSlug, isSlugOf, slugOf } from "../slug.ts";
import { ContentEditor } from "./content-editor.tsx";
import { SaveStatus } from "./save-status.tsx";
import type { PostEditor } from "./use-post-editor.ts";

interface PostFieldsProps extends FormState {
  /** True if this person changed the post last. */
  own: boolean;
  editor: PostEditor;
  status: PostStatus;
  /** The slugs of the other posts. */
  taken: ReadonlySet<string>;
  /** Called with true while a later time of publication is chosen. */
  onLater: (later: boolean) => void;
}

const EMPTY: Fields = { title: "", author: "", image_url: "", slug: "", content: "" };

/** The fields of a post. The address follows the title until it is edited, and is fixed once the post is published. */
export function PostFields({ value, field, own, editor, status, taken, onLater }: PostFieldsProps) {
  const { post, autosave } = editor;
  const stored = post ? fieldsOf(post) : EMPTY;
  // Contains only fields that differ from the stored post, so that the others show what somebody else saved.
  const [typed, setTyped] = useState(() => changedFields(value, stored));
  const fields = { ...stored, ...typed };
  const [slugFollows, setSlugFollows] = useState(() => fields.slug === "" || isSlugOf(fields.title, fields.slug));
  const [later, setLater] = useState(value["when"] === "later");
  useEffect(() => onLater(later), [later, onLater]);

  function save(next: Fields): void {
    const isEmpty = [next.title, next.content, next.image_url].every((text) => text.trim() === "");
    if (status === "draft" && (post || !isEmpty)) autosave.change(next);
  }

  const resume = useEffectEvent(() => {
    const { version } = value;
    const unsaved = post ? differences(fields, stored) : "";
    if (post && unsaved === "") {
      if (version !== undefined) editor.remember(post, null);
      return;
    }
    save(fields);
    if (version !== undefined && version !== post?.updated_at && !own)
      autosave.hold(
        `This post was changed after you typed this. ${unsaved} Nothing was overwritten. Save to replace it with yours, or cancel.`,
      );
  });
  // A layout effect, because after the form is on screen the restored input would replace newer text.
  useLayoutEffect(() => resume(), []);

  function change(part: Partial<Fields>): void {
    const next = { ...fields, ...part };
    if (slugFollows && part.title !== undefined && status !== "published") next.slug = freeSlugOf(part.title, taken);
    setTyped(changedFields(next, stored));
    save(next);
  }

  const controlled = (name: keyof Fields) => ({
    id: `post_${name}`,
    name,
    value: fields[name],
    error: field(name).error,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => change({ [name]: currentTarget.value }),
  });
  const slugTaken = status !== "published" && taken.has(fields.slug);
  return (
    <>
      {/* Stored with unsaved input: the version that was edited, or the id of a first save whose response may be lost. */}
      {post && !editor.deleted ? (
        <input type="hidden" name="version" value={editor.version} />
      ) : (
        <input type="hidden" name="row" value={autosave.id()} />
      )}
      <TextField {...controlled("title")} {...labelOf("title")} hint={titleHint(fields, status)} />
      <TextField {...controlled("author")} {...labelOf("author")} />
      <TextField
        {...controlled("image_url")}
        {...labelOf("image_url")}
        hint="Begins with https://, or choose one under Pictures."
        type={isOwnPath(fields.image_url) ? "text" : "url"}
      />
      {status !== "published" && (
        <>
          <TextField
            {...controlled("slug")}
            label="Address"
            hint="The part after /blog/ in the address."
            error={field("slug").error ?? (slugTaken ? "Another post has this address. Choose another." : undefined)}
            maxLength={LONGEST_TITLE}
            autoCapitalize="none"
            spellCheck={false}
            onChange={({ currentTarget }) => {
              setSlugFollows(currentTarget.value === "");
              change({ slug: currentTarget.value });
            }}
            onBlur={() => change({ slug: slugFollows ? freeSlugOf(fields.title, taken) : slugOf(fields.slug) })}
          />
          <SelectField
            id="post_when"
            name="when"
            label="Publish"
            required
            value={later ? "later" : "now"}
            onChange={({ currentTarget }) => setLater(currentTarget.value === "later")}
          >
            <option value="now">Now</option>
            <option value="later">Schedule for later</option>
          </SelectField>
          {later && (
            <TextField
              {...field("publish_at")}
              label="Date and time"
              hint="London time."
              type="datetime-local"
              required
              max="9999-12-31T23:59"
            />
          )}
        </>
      )}
      <ContentEditor {...controlled("content")} fields={fields} onCover={(image_url) => change({ image_url })} />
      <SaveStatus state={editor.state} savedAt={post?.updated_at} save={status === "draft" ? () => void autosave.flush(true) : null} />
    </>
  );
}

/** The label and the attributes of a field. */
function labelOf(name: "title" | "author" | "image_url") {
  const { label, control } = postFields[name];
  return { label, ...control.attributes };
}

/** The values of text fields that differ from the stored post. */
function changedFields(values: FormValues, stored: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(values).filter(([name, text]) => name in stored && text !== Reflect.get(stored, name)));
}

function freeSlugOf(title: string, taken: ReadonlySet<string>): string {
  const slug = slugOf(title);
  return slug === "" ? "" : freeSlug(slug, taken);
}

function titleHint({ title, slug }: Fields, status: PostStatus): string {
  if (status === "published") return `The address stays /blog/${slug}`;
  return title.trim() !== "" && slug === ""
    ? "Needs a letter from a to z or a digit, or write the address yourself."
    : "The post's address is made from it.";
}
