import { useEffect, useEffectEvent, useState } from "react";
import { SelectField, TextField } from "../../../ui/field.tsx";
import type { FormValues } from "../../forms/unsaved-form.ts";
import type { FormState } from "../../forms/portal-form.tsx";
import { ContentEditor } from "./content-editor.tsx";
import { fieldsOf, unlike, type Fields } from "./fields.ts";
import { isOwnPath, LONGEST_AUTHOR, LONGEST_IMAGE_URL, LONGEST_TITLE, type Standing } from "../schema.ts";
import { freeSlug, isSlugOf, slugOf } from "../slug.ts";
import type { EditedPost } from "./use-edited-post.ts";
import { SaveLine } from "./save-status.tsx";

interface PostFieldsProps extends FormState {
  /** Whether the last change of the post was one's own. */
  own: boolean;
  edited: EditedPost;
  standing: Standing;
  /** The slugs of the other posts. */
  taken: ReadonlySet<string>;
}

/** The fields of a post; the address follows the title until it is written by hand, and stands once the post is published. */
export function PostFields({ value, errorOf, field, own, edited, standing, taken }: PostFieldsProps) {
  const { post, merged, agree, note, hold } = edited;
  const [fields, setFields] = useState(() => fieldsFrom(value));
  const [slugFollows, setSlugFollows] = useState(() => fields.slug === "" || isSlugOf(fields.title, fields.slug));
  const [later, setLater] = useState(value["when"] === "later");

  const takeUp = useEffectEvent(() => {
    const differing = post && unlike(fields, fieldsOf(post));
    if (post && !differing) return agree();
    note(fields);
    const typedOver = value["version"];
    if (differing && typedOver !== undefined && typedOver !== post.updated_at && !own)
      hold(`This post was changed after you typed this. ${differing} Nothing was overwritten. Save to put yours in its place, or cancel.`);
  });
  useEffect(() => takeUp(), []);
  const [shownMerged, setShownMerged] = useState(merged);
  if (merged && merged !== shownMerged) {
    setShownMerged(merged);
    setFields(merged);
  }

  function change(part: Partial<Fields>): void {
    const next = { ...fields, ...part };
    if (slugFollows && part.title !== undefined && standing !== "published") next.slug = addressOf(part.title, taken);
    setFields(next);
    note(next);
  }

  const controlled = (name: keyof Fields) => ({
    id: `post_${name}`,
    name,
    value: fields[name],
    error: errorOf(name),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => change({ [name]: currentTarget.value }),
  });
  const slugTaken = standing !== "published" && taken.has(fields.slug);
  return (
    <>
      {/* Kept with what is typed: which version it was typed over, or where a first save went whose answer is lost. */}
      {post ? <input type="hidden" name="version" value={post.updated_at} /> : <input type="hidden" name="row" value={edited.newId()} />}
      <TextField {...controlled("title")} label="Title" hint={titleHint(fields, standing)} required maxLength={LONGEST_TITLE} />
      <TextField {...controlled("author")} label="Author" required maxLength={LONGEST_AUTHOR} />
      <TextField
        {...controlled("image_url")}
        label="Image URL"
        hint="Begins with https://, or choose one under Pictures."
        type={isOwnPath(fields.image_url) ? "text" : "url"}
        maxLength={LONGEST_IMAGE_URL}
      />
      {standing !== "published" && (
        <>
          <TextField
            {...controlled("slug")}
            label="Address"
            hint="What follows /blog/ on the website."
            error={errorOf("slug") ?? (slugTaken ? "Another post has this address. Choose another." : undefined)}
            maxLength={LONGEST_TITLE}
            autoCapitalize="none"
            spellCheck={false}
            onChange={({ currentTarget }) => {
              setSlugFollows(currentTarget.value === "");
              change({ slug: currentTarget.value });
            }}
            onBlur={() => change({ slug: slugFollows ? addressOf(fields.title, taken) : slugOf(fields.slug) })}
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
            <option value="later">Later, by itself</option>
          </SelectField>
          {later && (
            <TextField
              {...field("publish_at")}
              label="Date and time"
              hint="By the clock in London."
              type="datetime-local"
              required
              max="9999-12-31T23:59"
            />
          )}
        </>
      )}
      <ContentEditor {...controlled("content")} fields={fields} onHead={(image_url) => change({ image_url })} />
      <SaveLine state={edited.state} savedBefore={post?.updated_at} save={standing === "draft" ? edited.save : null} />
    </>
  );
}

function fieldsFrom({ title = "", author = "", image_url = "", slug = "", content = "" }: FormValues): Fields {
  return { title, author, image_url, slug, content };
}

function addressOf(title: string, taken: ReadonlySet<string>): string {
  const slug = slugOf(title);
  return slug === "" ? "" : freeSlug(slug, taken);
}

function titleHint({ title, slug }: Fields, standing: Standing): string {
  if (standing === "published") return `The address stays /blog/${slug}`;
  return title.trim() !== "" && slug === ""
    ? "Needs a letter from a to z or a digit, or write the address yourself."
    : "The post's address is made from it.";
}
