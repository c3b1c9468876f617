import { lazy, Suspense } from "react";
import { useRevalidator } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { Spinner } from "../../ui/spinner.tsx";
import { LoadingPage } from "../frame/loading-page.tsx";
import type { RecordEdit } from "../records/save-record.ts";
import { portalMeta } from "../frame/portal-meta.ts";
import { RecordPage } from "../records/record-page.tsx";
import { requireSession } from "../session/session.ts";
import { useRecordPage } from "../records/use-record-page.ts";
import { PostList } from "./post-list.tsx";
import { deletePost, lastChangedBy, listPosts, openPost, takeDownPost } from "./queries.ts";
import type { ListedPost, Post } from "./fields.ts";
import type { Route } from "./+types/blog";

const TITLE = "Blog Management";

// Loaded on demand, because most visits only need the list.
const PostForm = lazy(async () => ({ default: (await import("./editor/post-form.tsx")).PostForm }));

export function meta() {
  return portalMeta(TITLE);
}

export async function clientLoader() {
  const { user } = await requireSession();
  return { userId: user.id, email: user.email, posts: listPosts(browserClient()) };
}
clientLoader.hydrate = true as const;

export function HydrateFallback() {
  return <LoadingPage title={TITLE} />;
}

interface EditForm {
  form: "edit";
  edit: RecordEdit<Post>;
  /** True if this person changed the post last; unsaved input is then used without a warning. */
  own: boolean;
}

/** The posts and the form to write, change, publish and take them down. */
export default function Blog({ loaderData: { userId, email, posts } }: Route.ComponentProps) {
  const { revalidate } = useRevalidator();
  const page = useRecordPage<EditForm>({
    userId,
    area: "blog-post",
    async reopen(_form, id) {
      const [edit, by] = await Promise.all([openPost(browserClient(), id), lastChangedBy(browserClient(), id)]);
      return "opened" in edit ? { form: "edit", edit, own: by === userId } : null;
    },
  });
  const { open } = page;

  async function begin({ id }: ListedPost): Promise<void> {
    const edit = await openPost(browserClient(), id);
    if ("opened" in edit) page.begin({ form: "edit", edit, own: true });
    else page.show(edit);
  }

  return (
    <RecordPage
      title={TITLE}
      email={email}
      page={page}
      addLabel="New post"
      form={
        open && (
          <Suspense fallback={<Spinner />}>
            <PostForm
              edit={open.form === "edit" ? open.edit : null}
              own={open.form === "edit" && open.own}
              posts={posts}
              keyOf={page.keyOf}
              onDone={page.finish}
              onClosed={() => void revalidate()}
            />
          </Suspense>
        )
      }
    >
      <PostList
        posts={posts}
        removed={page.removed}
        edit={(post) => void begin(post)}
        takeDown={(id) => page.act(() => takeDownPost(browserClient(), id))}
        remove={(post) => page.remove(post, () => deletePost(browserClient(), post.id))}
      />
    </RecordPage>
  );
}
