import { browserClient } from "../../../supabase/supabase.client.ts";
import { toLondonTime } from "../../../time/london-time.ts";
import { PortalForm } from "../../forms/portal-form.tsx";
import type { FormKey, FormValues } from "../../forms/unsaved-form.ts";
import type { Done, Loaded } from "../../frame/outcome.ts";
import { usePromise } from "../../frame/use-promise.ts";
import type { RecordEdit } from "../../records/save-record.ts";
import { publishPost, savePost } from "../queries.ts";
import type { ListedPost, Post } from "../fields.ts";
import { fieldsOf, postStatus } from "../schema.ts";
import { PostFields } from "./post-fields.tsx";
import { usePostEditor } from "./use-post-editor.ts";

interface PostFormProps {
  /** Null for a new post. */
  edit: RecordEdit<Post> | null;
  /** True if this person changed the post last. */
  own: boolean;
  posts: Promise<Loaded<ListedPost>>;
  keyOf: (form: string) => FormKey;
  onDone: (outcome: Done) => void;
  /** Called after the last save of a form that was closed. */
  onClosed: () => void;
}

/** The form of a new post, a draft, a scheduled or a published post; drafts are saved automatically. */
export function PostForm({ edit, own, posts, keyOf, onDone, onClosed }: PostFormProps) {
  const editor = usePostEditor({ edit, keyOf, onClosed });
  const { post, autosave } = editor;
  const list = usePromise(posts);
  const others = list?.ok ? list.rows.filter(({ id }) => id !== post?.id) : [];
  const taken = new Set(others.flatMap(({ slug }) => slug ?? []));
  const status = post ? postStatus(post) : "draft";
  return (
    <PortalForm
      name={edit ? `Change ${edit.opened.title || "untitled draft"}` : "New blog post"}
      formKey={keyOf(post ? "edit" : "new")}
      about={post?.id}
      begin={edit ? valuesOf(edit.opened) : undefined}
      label={status === "draft" ? "Publish post" : "Save post"}
      busyLabel={status === "draft" ? "Publishing..." : "Saving..."}
      submit={(form) =>
        autosave.submit((current, id) =>
          current ? savePost(browserClient(), current, form, taken) : publishPost(browserClient(), form, taken, id),
        )
      }
      onDone={onDone}
    >
      {(state) => <PostFields {...state} own={own} editor={editor} status={status} taken={taken} />}
    </PortalForm>
  );
}

function valuesOf(post: Post): FormValues {
  if (post.published_at === null) return fieldsOf(post);
  return { ...fieldsOf(post), when: "later", publish_at: toLondonTime(new Date(post.published_at)) };
}
