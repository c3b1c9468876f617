import { provider } from "content/provider.ts";
import { data, href } from "react-router";
import { isPublished } from "../../posts/published-posts.server.ts";
import { pageMeta } from "../../seo/page-meta.ts";
import { siteContext } from "../../server/site-context.server.ts";
import { logFailedRead } from "../../supabase/log-failed-read.ts";
import { Message } from "../../ui/message.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import type { Route } from "./+types/search";
import { PostList } from "./post-list.tsx";
import { toSummary } from "./post-view.server.ts";
import { LONGEST_SEARCH, SearchForm } from "./search-form.tsx";
import styles from "./blog.module.css";

const MOST_WORDS = 6;
const MOST_POSTS = 20;
const NEWEST = 3;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { supabase, siteUrl, log } = context.get(siteContext);
  const text = (new URL(request.url).searchParams.get("for") ?? "").slice(0, LONGEST_SEARCH);
  const words = text.match(/[\p{L}\p{N}]+/gu)?.slice(0, MOST_WORDS) ?? [];
  const newest = () => supabase.from("blog_posts").select("*").order("published_at", { ascending: false });
  // A post contains every word, in its title or its text.
  const found = words.reduce((query, word) => query.or(`title.ilike.*${word}*,content.ilike.*${word}*`), newest());
  let answer = words.length === 0 ? null : await found.limit(MOST_POSTS);
  const isFound = answer?.data?.some(isPublished) ?? false;
  if (!answer?.error && !isFound) answer = await newest().limit(NEWEST);
  if (answer?.error) logFailedRead(log, answer.error, "blog posts could not be searched");
  const posts = (answer?.data ?? []).filter(isPublished).map(toSummary);
  const failed = Boolean(answer?.error);
  return data({ siteUrl, text, posts, isFound, failed }, { status: failed ? 503 : 200 });
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  return [
    ...pageMeta({
      type: "page",
      title: `Search the blog | ${provider.name}`,
      description: "Find advice about security licences, first aid and safety at work in our posts.",
      path: href("/blog-search"),
      siteUrl: loaderData.siteUrl,
    }),
    { name: "robots", content: "noindex" },
  ];
}

/** The posts that contain the words of a search, the newest first; without words the newest posts. */
export default function Search({ loaderData: { text, posts, isFound, failed } }: Route.ComponentProps) {
  return (
    <main id="main" className="wrap">
      <PageHead title="Search the blog" up={{ href: href("/blog"), label: "Blog" }} />
      <SearchForm text={text} />
      {failed && <Message tone="error">The search did not work. Please try again later.</Message>}
      {!failed && text !== "" && !isFound && (
        <Message>
          No post has these words. Try fewer or other words, or <a href={href("/enquiry")}>ask us a question</a>.
        </Message>
      )}
      {!isFound && posts.length > 0 && <h2 className={styles.newest}>The newest posts</h2>}
      <PostList posts={posts} />
    </main>
  );
}
