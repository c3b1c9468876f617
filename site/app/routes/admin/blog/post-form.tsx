import { useState } from "react";
import { TextAreaField, TextField } from "../../../ui/field.tsx";
import type { Draft, DraftKey } from "../draft.ts";
import type { Done, Loaded, Outcome } from "../outcome.ts";
import { PortalForm, type FormState } from "../portal-form.tsx";
import { useSettled } from "../settled.ts";
import { LONGEST_AUTHOR, LONGEST_CONTENT, LONGEST_IMAGE_URL, LONGEST_TITLE, type ListedPost, type Post } from "./schema.ts";
import { freeSlug, slugOf } from "./slug.ts";

interface NewPostProps {
  /** The posts there are, whose slugs are taken. */
  posts: Promise<Loaded<ListedPost>>;
  draft: DraftKey;
  submit: (form: FormData, taken: ReadonlySet<string>) => Promise<Outcome>;
  onDone: (outcome: Done) => void;
}

/** The form for a new post; it shows the address the post will have. */
export function NewPost({ posts, submit, ...rest }: NewPostProps) {
  const answer = useSettled(posts);
  const taken = new Set(answer?.ok ? answer.rows.map(({ slug }) => slug) : []);
  return (
    <PortalForm name="New blog post" label="Publish Post" busyLabel="Publishing..." submit={(form) => submit(form, taken)} {...rest}>
      {(state) => <PostFields {...state} addressOf={(title) => addressHint(title, taken)} />}
    </PortalForm>
  );
}

interface EditPostProps {
  post: Post;
  draft: DraftKey;
  submit: (form: FormData) => Promise<Outcome>;
  onDone: (outcome: Done) => void;
}

/** The same form for a post that is published: its address stays as it is. */
export function EditPost({ post, ...rest }: EditPostProps) {
  const begin: Draft = { title: post.title, author: post.author, content: post.content, image_url: post.image_url ?? "" };
  return (
    <PortalForm name={`Change ${post.title}`} label="Save Post" busyLabel="Saving..." about={post.id} begin={begin} {...rest}>
      {(state) => <PostFields {...state} addressOf={() => `The address stays /blog/${post.slug}`} />}
    </PortalForm>
  );
}

function PostFields({ value, field, addressOf }: FormState & { addressOf: (title: string) => string }) {
  const [title, setTitle] = useState(value["title"] ?? "");
  return (
    <>
      <TextField
        {...field("title")}
        label="Title"
        hint={addressOf(title)}
        required
        maxLength={LONGEST_TITLE}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <TextField {...field("author")} label="Author" required maxLength={LONGEST_AUTHOR} />
      <TextField
        {...field("image_url")}
        label="Image URL"
        hint="A whole web address, beginning with https://"
        type="url"
        maxLength={LONGEST_IMAGE_URL}
      />
      <TextAreaField
        {...field("content")}
        label="Content"
        hint="Markdown: a blank line between paragraphs, **bold**, ## for a heading, - for a list."
        rows={16}
        required
        maxLength={LONGEST_CONTENT}
      />
    </>
  );
}

function addressHint(title: string, taken: ReadonlySet<string>): string {
  if (title.trim() === "") return "The post's address is made from it.";
  const slug = slugOf(title);
  return slug === ""
    ? "Needs a letter from a to z or a digit: the post's address is made from it."
    : `Address: /blog/${freeSlug(slug, taken)}`;
}
