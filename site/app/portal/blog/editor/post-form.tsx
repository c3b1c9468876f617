import { browserClient } from "../../../supabase/supabase.client.ts";
import type { FormValues, FormKey } from "../../forms/unsaved-form.ts";
import type { RecordEdit } from "../../records/save-record.ts";
import { toLondonTime } from "../../../time/london-time.ts";
import type { Done, Loaded } from "../../frame/outcome.ts";
import { PortalForm } from "../../forms/portal-form.tsx";
import { usePromise } from "../../frame/use-promise.ts";
import { fieldsOf } from "./fields.ts";
import { PostFields } from "./post-fields.tsx";
import { publishPost, savePost } from "../queries.ts";
import { standingOf, type ListedPost, type Post } from "../schema.ts";
import { useEditedPost } from "./use-edited-post.ts";

interface PostFormProps {
  /** The post to go on with; null for a new one. */
  edit: RecordEdit<Post> | null;
  /** Whether the last change of that post was one's own. */
  own: boolean;
  posts: Promise<Loaded<ListedPost>>;
  keyOf: (form: string) => FormKey;
  onDone: (outcome: Done) => void;
  /** After the last save of a form that was closed. */
  onLeft: () => void;
}

/** The form of a post: new, a draft that saves itself as it is written, one to come, or one that is published. */
export function PostForm({ edit, own, posts, keyOf, onDone, onLeft }: PostFormProps) {
  const edited = useEditedPost({ edit, keyOf, onLeft });
  const { post } = edited;
  const answer = usePromise(posts);
  const others = answer?.ok ? answer.rows.filter(({ id }) => id !== post?.id) : [];
  const taken = new Set(others.flatMap(({ slug }) => slug ?? []));
  const standing = post ? standingOf(post) : "draft";
  return (
    <PortalForm
      name={edit ? `Change ${edit.opened.title || "untitled draft"}` : "New blog post"}
      formKey={keyOf(post ? "edit" : "new")}
      about={post?.id}
      begin={edit ? begin(edit.opened) : undefined}
      label={standing === "draft" ? "Publish Post" : "Save Post"}
      busyLabel={standing === "draft" ? "Publishing..." : "Saving..."}
      submit={(form) =>
        edited.send((met) => (met ? savePost(browserClient(), met, form, taken) : publishPost(browserClient(), form, taken)))
      }
      onDone={onDone}
    >
      {(state) => <PostFields {...state} own={own} edited={edited} standing={standing} taken={taken} />}
    </PortalForm>
  );
}

function begin(post: Post): FormValues {
  if (post.published_at === null) return { ...fieldsOf(post) };
  return { ...fieldsOf(post), when: "later", publish_at: toLondonTime(new Date(post.published_at)) };
}
