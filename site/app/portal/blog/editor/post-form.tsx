import { useLayoutEffect, useState } from "react";
import { browserClient } from "../../../supabase/supabase.client.ts";
import { toLondonTime } from "../../../time/london-time.ts";
import { PortalForm } from "../../forms/portal-form.tsx";
import type { FormValues } from "../../forms/unsaved-form.ts";
import type { Loaded } from "../../frame/outcome.ts";
import { useLoaded } from "../../frame/use-loaded.ts";
import type { OpenForm } from "../../records/unsaved-input.ts";
import type { RecordPageState } from "../../records/use-record-page.ts";
import { publishPost, savePost } from "../queries.ts";
import type { EditForm, ListedPost, Post } from "../fields.ts";
import { fieldsOf, postStatus, type PostStatus } from "../schema.ts";
import { PostFields } from "./post-fields.tsx";
import { usePostEditor } from "./use-post-editor.ts";

interface PostFormProps {
  open: OpenForm<EditForm>;
  posts: Promise<Loaded<ListedPost>>;
  page: RecordPageState<EditForm>;
  /** Called with true while the input is not saved because others changed the post. */
  onConflict: (isInConflict: boolean) => void;
  /** Takes the id of the post and its last save when the form closes. */
  onClose: (id: string, lastSave: Promise<unknown>) => void;
  /** The name of the person, as the author of a new post; empty if the profile has none. */
  writer: string;
}

/** The form of a new post, a draft, a scheduled or a published post; drafts are saved automatically. */
export function PostForm({ open, posts, page: { keyOf, finish }, onConflict, onClose, writer }: PostFormProps) {
  const { edit, own } = open.form === "edit" ? open : { edit: null, own: false };
  const editor = usePostEditor(edit, keyOf, onClose);
  const { post, deleted, autosave } = editor;
  const stored = post && !deleted ? "edit" : "new";
  const isInConflict = editor.state?.is === "conflict";
  // A layout effect, because a key that is pressed when the conflict is on screen would discard the text without a question.
  useLayoutEffect(() => {
    onConflict(isInConflict);
    return () => onConflict(false);
  }, [isInConflict, onConflict]);
  const list = useLoaded(posts);
  const others = list?.ok ? list.rows.filter(({ id }) => id !== post?.id) : [];
  const taken = new Set(others.flatMap(({ slug }) => slug ?? []));
  const status = post ? postStatus(post) : "draft";
  const [later, setLater] = useState(false);
  return (
    <PortalForm
      name={edit ? `Change ${edit.opened.title || "untitled draft"}` : "New blog post"}
      titled
      takesFocus
      formKey={keyOf(stored)}
      about={deleted ? undefined : post?.id}
      begin={edit ? valuesOf(edit.opened) : { when: "now", author: writer }}
      {...labelsOf(status, later)}
      submit={(form) =>
        autosave.submit((current, id) =>
          current ? savePost(browserClient(), current, form, taken) : publishPost(browserClient(), form, taken, id),
        )
      }
      onDone={finish}
    >
      {(state) => <PostFields {...state} own={own} editor={editor} status={status} taken={taken} onLater={setLater} />}
    </PortalForm>
  );
}

function labelsOf(status: PostStatus, later: boolean): { label: string; busyLabel: string } {
  if (status !== "draft") return { label: "Save post", busyLabel: "Saving..." };
  return later ? { label: "Schedule post", busyLabel: "Scheduling..." } : { label: "Publish post", busyLabel: "Publishing..." };
}

function valuesOf(post: Post): FormValues {
  if (post.published_at === null) return { ...fieldsOf(post), when: "now" };
  return { ...fieldsOf(post), when: "later", publish_at: toLondonTime(new Date(post.published_at)) };
}
