import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { browserClient } from "../../../supabase.client.ts";
import { Button } from "../../../ui/button.tsx";
import { Checking } from "../checking.tsx";
import { forgetDraft, readDraft } from "../draft.ts";
import type { Editing } from "../edit.ts";
import type { Outcome } from "../outcome.ts";
import { PageFrame } from "../page-frame.tsx";
import { portalMeta } from "../portal-meta.ts";
import { requireSession } from "../session.ts";
import { EditPost, NewPost } from "./new-post.tsx";
import { PostList } from "./post-list.tsx";
import { deletePost, listPosts, openPost, publishPost, savePost } from "./queries.ts";
import type { ListedPost, Post } from "./schema.ts";
import styles from "./blog.module.css";
import type { Route } from "./+types/blog";

const TITLE = "Blog Management";

export const handle = { client: "portal" };

export function meta() {
  return portalMeta(TITLE);
}

export async function clientLoader() {
  const { user } = await requireSession();
  return { userId: user.id, email: user.email, posts: listPosts(browserClient()) };
}
clientLoader.hydrate = true as const;

export function HydrateFallback() {
  return <Checking title={TITLE} />;
}

/** Every post, with a form to publish one, and to change or delete each. */
export default function Blog({ loaderData }: Route.ComponentProps) {
  const { userId, email, posts } = loaderData;
  const draft = { userId, form: "blog-post" };
  const editDraft = { userId, form: "blog-post-edit" };
  const [writing, setWriting] = useState(() => readDraft(sessionStorage, draft) !== null);
  const [notice, setNotice] = useState<Outcome | null>(null);
  const [edit, setEdit] = useState<Editing<Post> | null>(null);
  const { revalidate } = useRevalidator();

  // An edit that a sign-out cut off goes on where it was.
  useEffect(() => {
    const id = readDraft(sessionStorage, { userId, form: "blog-post-edit" })?.["id"];
    if (id === undefined) return;
    void openPost(browserClient(), id).then((opened) => {
      if ("opened" in opened) setEdit(opened);
    });
  }, [userId]);

  const open = writing || edit !== null;

  function toggle(): void {
    forgetDraft(sessionStorage, editDraft);
    setNotice(null);
    setEdit(null);
    setWriting(!open);
  }

  async function begin({ id }: ListedPost): Promise<void> {
    forgetDraft(sessionStorage, editDraft);
    setNotice(null);
    const opened = await openPost(browserClient(), id);
    if ("ok" in opened) return setNotice(opened);
    setWriting(false);
    setEdit(opened);
  }

  async function remove(id: string): Promise<Outcome> {
    setNotice(null);
    return deletePost(browserClient(), id);
  }

  function show(outcome: Outcome): void {
    setNotice(outcome);
    void revalidate();
  }

  return (
    <PageFrame
      title={TITLE}
      email={email}
      back
      notice={notice}
      action={
        <Button look={open ? "plain" : "primary"} aria-expanded={open} aria-controls="write" onClick={toggle}>
          {open ? "Cancel" : "New Post"}
        </Button>
      }
    >
      <div id="write" className={styles.write} hidden={!open}>
        {edit && (
          <EditPost
            key={edit.opened.id}
            post={edit.opened}
            draft={editDraft}
            submit={(form) => savePost(browserClient(), edit, form)}
            onDone={(outcome) => {
              setEdit(null);
              show(outcome);
            }}
          />
        )}
        {writing && !edit && (
          <NewPost
            posts={posts}
            draft={draft}
            submit={(form, taken) => publishPost(browserClient(), form, taken)}
            onDone={(outcome) => {
              setWriting(false);
              show(outcome);
            }}
          />
        )}
      </div>
      <PostList posts={posts} edit={(post) => void begin(post)} remove={remove} onOutcome={show} />
    </PageFrame>
  );
}
