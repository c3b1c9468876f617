import { provider } from "content/provider.ts";
import { data, href } from "react-router";
import { ContactBlock } from "../../frame/contact-block.tsx";
import { isPublished } from "../../posts/published-posts.server.ts";
import { expireAtNextPost } from "../../server/post-expiry.server.ts";
import { pageMeta } from "../../seo/page-meta.ts";
import { siteContext } from "../../server/site-context.server.ts";
import { breadcrumb } from "../../seo/structured-data.ts";
import { Message } from "../../ui/message.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { logFailedRead } from "../../supabase/log-failed-read.ts";
import type { Route } from "./+types/blog";
import { pageOf, Pager } from "../../ui/list-links/pager.tsx";
import { queryHref } from "../../ui/list-links/query-href.ts";
import { PostList } from "./post-list.tsx";
import { toSummary } from "./post-view.server.ts";
import { SearchForm } from "./search-form.tsx";

/** The most posts on a page. */
const PAGE = 10;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { supabase, siteUrl, log } = context.get(siteContext);
  await expireAtNextPost(context);
  const answer = await supabase.from("blog_posts").select("*").order("published_at", { ascending: false });
  if (answer.error) {
    logFailedRead(log, answer.error, "blog posts could not be read");
    return data({ posts: null, page: 1, last: 1, siteUrl }, { status: 503 });
  }
  const { items, page, last } = pageOf(answer.data.filter(isPublished), new URL(request.url).searchParams, PAGE);
  return data({ posts: items.map(toSummary), page, last, siteUrl });
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  return pageMeta({
    type: "blog",
    title: `Blog | ${provider.name}`,
    description: "News and plain advice about security licences, first aid and safety at work, from the people who teach them.",
    path: href("/blog"),
    page: loaderData.page,
    siteUrl: loaderData.siteUrl,
    graph: [breadcrumb(loaderData.siteUrl, [{ name: "Blog", path: href("/blog") }])],
  });
}

export default function Blog({ loaderData: { posts, page, last } }: Route.ComponentProps) {
  return (
    <main id="main" className="wrap">
      <PageHead
        title="Blog"
        lead="Plain advice about licences, first aid and safety at work, from the people who teach them."
        up={{ href: href("/"), label: "Home" }}
      />
      <SearchForm text="" />
      {posts === null && (
        <Message tone="error">
          <p>Failed to load blog posts. Please try again later.</p>
          <ContactBlock variant="inline" />
        </Message>
      )}
      {posts?.length === 0 && <Message>No blog posts available yet.</Message>}
      {posts && <PostList posts={posts} />}
      <Pager
        label="Pages of posts"
        words={["Newer", "Older"]}
        page={page}
        last={last}
        to={(number) => queryHref(href("/blog"), { page: number })}
      />
    </main>
  );
}
