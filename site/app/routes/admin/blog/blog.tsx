import { useState } from "react";
import { useRevalidator } from "react-router";
import { browserClient } from "../../../supabase.client.ts";
import { Button } from "../../../ui/button.tsx";
import { Checking } from "../checking.tsx";
import { readDraft } from "../draft.ts";
import type { Outcome } from "../outcome.ts";
import { PageFrame } from "../page-frame.tsx";
import { portalMeta } from "../portal-meta.ts";
import { requireSession } from "../session.ts";
import { NewPost } from "./new-post.tsx";
import { PostList } from "./post-list.tsx";
import { deletePost, listPosts, publishPost } from "./queries.ts";
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

/** Every post, with a form to publish one and a Delete for each. */
export default function Blog({ loaderData }: Route.ComponentProps) {
  const { userId, email, posts } = loaderData;
  const draft = { userId, form: "blog-post" };
  const [writing, setWriting] = useState(() => readDraft(sessionStorage, draft) !== null);
  const [notice, setNotice] = useState<Outcome | null>(null);
  const { revalidate } = useRevalidator();

  function toggle(): void {
    setNotice(null);
    setWriting(!writing);
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
        <Button look={writing ? "plain" : "primary"} aria-expanded={writing} aria-controls="write" onClick={toggle}>
          {writing ? "Cancel" : "New Post"}
        </Button>
      }
    >
      <div id="write" className={styles.write} hidden={!writing}>
        {writing && (
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
      <PostList posts={posts} remove={remove} onOutcome={show} />
    </PageFrame>
  );
}
