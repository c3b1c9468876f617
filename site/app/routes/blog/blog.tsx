import { provider } from "content/provider.ts";
import { data, href } from "react-router";
import { ContactBlock } from "../../frame/contact-block.tsx";
import { isPublished } from "../../posts/published-posts.server.ts";
import { expireAtNextPost } from "../../server/post-expiry.server.ts";
import { pageMeta } from "../../seo/page-meta.ts";
import { siteContext } from "../../server/site-context.server.ts";
import { pictureAttributes } from "../../pictures/stored-pictures.ts";
import { breadcrumb } from "../../seo/structured-data.ts";
import { Message } from "../../ui/message.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { logFailedRead } from "../../supabase/log-failed-read.ts";
import type { Route } from "./+types/blog";
import { PostByline } from "./post-byline.tsx";
import { toSummary, type PostSummary } from "./post-view.server.ts";
import styles from "./blog.module.css";

export async function loader({ context }: Route.LoaderArgs) {
  const { supabase, siteUrl, log } = context.get(siteContext);
  await expireAtNextPost(context);
  const answer = await supabase.from("blog_posts").select("*").order("published_at", { ascending: false });
  if (answer.error) {
    logFailedRead(log, answer.error, "blog posts could not be read");
    return data({ posts: null, siteUrl }, { status: 503 });
  }
  return data({ posts: answer.data.filter(isPublished).map(toSummary), siteUrl });
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  return pageMeta({
    type: "blog",
    title: `Blog | ${provider.name}`,
    description: "News and plain advice about security licences, first aid and safety at work, from the people who teach them.",
    path: href("/blog"),
    siteUrl: loaderData.siteUrl,
    graph: [breadcrumb(loaderData.siteUrl, [{ name: "Blog", path: href("/blog") }])],
  });
}

export default function Blog({ loaderData: { posts } }: Route.ComponentProps) {
  return (
    <main id="main" className="wrap">
      <PageHead
        title="Blog"
        lead="Plain advice about licences, first aid and safety at work, from the people who teach them."
        up={{ href: href("/"), label: "Home" }}
      />
      {posts === null && (
        <Message tone="error">
          <p>Failed to load blog posts. Please try again later.</p>
          <ContactBlock variant="inline" />
        </Message>
      )}
      {posts?.length === 0 && <Message>No blog posts available yet.</Message>}
      {posts && posts.length > 0 && (
        <ul className={styles.posts}>
          {posts.map((post, index) => (
            <li key={post.path}>
              <PostCard post={post} first={index === 0} />
            </li>
          ))}
        </ul>
      )}
    </main>
  );
}

const FIRST_WIDTH = "(min-width: 78.5rem) 43rem, (min-width: 60rem) 55vw, (min-width: 48rem) 42vw, calc(100vw - 2.5rem)";
const CARD_WIDTH = "(min-width: 78.5rem) 31rem, (min-width: 48rem) 42vw, calc(100vw - 2.5rem)";

function PostCard({ post, first }: { post: PostSummary; first: boolean }) {
  return (
    <article className={styles.card}>
      {post.imageUrl && (
        <img
          {...pictureAttributes(post.imageUrl, first ? FIRST_WIDTH : CARD_WIDTH)}
          alt=""
          width="640"
          height="360"
          loading={first ? "eager" : "lazy"}
          className={styles.picture}
        />
      )}
      <div className={styles.text}>
        <h2>
          <a href={post.path}>{post.title}</a>
        </h2>
        <PostByline post={post} />
        <p>{post.excerpt}</p>
      </div>
    </article>
  );
}
