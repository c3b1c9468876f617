import { Suspense, useCallback, useRef } from "react";
import { lazyPart } from "../frame/lazy-part.tsx";
import { browserClient } from "../../supabase/supabase.client.ts";
import { Spinner } from "../../ui/spinner.tsx";
import { subject } from "../forms/form-text.ts";
import { useUser } from "../frame/use-user.ts";
import { RecordPage } from "../records/record-page.tsx";
import { useRecordPage } from "../records/use-record-page.ts";
import { PostList } from "./post-list.tsx";
import { listShared } from "./preview-link/queries.ts";
import { lastChangedBy, listPosts, openPost } from "./queries.ts";
import type { EditForm } from "./fields.ts";
import { loadedBy } from "../lists/use-filters.ts";
import type { Route } from "./+types/blog";

// Loaded on demand, because most visits only need the list.
const PostForm = lazyPart(async () => ({ default: (await import("./editor/post-form.tsx")).PostForm }));

export const shouldRevalidate = loadedBy();

export async function clientLoader() {
  return { posts: listPosts(browserClient()), shared: listShared(browserClient()) };
}

/** The posts and the form to write, change, publish and take them down. */
export default function Blog({ loaderData: { posts, shared } }: Route.ComponentProps) {
  const { userId, name = "" } = useUser() ?? {};
  const isInConflict = useRef(false);
  const onConflict = useCallback((is: boolean) => {
    isInConflict.current = is;
  }, []);
  const saving = useRef(new Map<string, Promise<unknown>>());
  /** The last save of a closed form, if it is still running; a form opened before its end would show older text. */
  const lastSave = (id: string): Promise<unknown> | undefined => saving.current.get(id);
  const page = useRecordPage<EditForm>({
    area: "blog-post",
    async reopen(_form, id) {
      await lastSave(id);
      const [edit, by] = await Promise.all([openPost(browserClient(), id), lastChangedBy(browserClient(), id)]);
      return "opened" in edit ? { form: "edit", edit, own: by === userId } : null;
    },
    inWords: ({ title = "" }) => subject("blog post", title),
    // Text in conflict is not saved when the form closes.
    savesItself: (open) => !isInConflict.current && (open.form === "new" || open.edit.opened.published_at === null),
  });

  function onClose(id: string, save: Promise<unknown>): void {
    saving.current.set(id, save);
    void save.then(() => {
      saving.current.delete(id);
      page.offerUnsaved();
    });
  }

  return (
    <RecordPage
      page={page}
      addLabel="New post"
      edited={page.open?.form === "edit" ? { table: "blog_posts", id: page.open.edit.opened.id, noun: "blog post" } : undefined}
      form={
        page.open && (
          <Suspense fallback={<Spinner />}>
            <PostForm open={page.open} posts={posts} page={page} onConflict={onConflict} onClose={onClose} writer={name} />
          </Suspense>
        )
      }
    >
      <PostList posts={posts} shared={shared} lastSave={lastSave} page={page} />
    </RecordPage>
  );
}
