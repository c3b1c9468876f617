import { provider } from "content/provider.ts";
import { data, href } from "react-router";
import { excerpt } from "../../posts/excerpt.ts";
import { ContactBlock } from "../../frame/contact-block.tsx";
import { markdownText, renderMarkdown } from "../../posts/markdown.ts";
import { isPublished } from "../../posts/published-posts.server.ts";
import { pageMeta, pageTitle } from "../../seo/page-meta.ts";
import { siteContext } from "../../server/site-context.server.ts";
import { blogPosting, breadcrumb } from "../../seo/structured-data.ts";
import { logFailedRead } from "../../supabase/log-failed-read.ts";
import type { Route } from "./+types/post";
import { PostArticle, PostProblem } from "./post-article.tsx";
import { ogImageOf } from "../../og-image/post-og-image.server.ts";
import { relatedCourses } from "./related-courses.ts";
import { toSummary } from "./post-view.server.ts";

/** The check of the column `slug`. Postgres refuses some other texts, such as a zero byte, with an error. */
const SLUG = /^[a-z0-9-]{1,220}$/;
const NO_ROW = "PGRST116";
const DESCRIPTION_LENGTH = 160;

export async function loader({ params, context }: Route.LoaderArgs) {
  if (!SLUG.test(params.slug)) return data({ state: "missing" as const }, { status: 404 });
  const { supabase, siteUrl, log } = context.get(siteContext);
  const { data: post, error } = await supabase.from("blog_posts").select("*").eq("slug", params.slug).single();
  if (error?.code === NO_ROW || (post && !isPublished(post))) return data({ state: "missing" as const }, { status: 404 });
  if (error) {
    logFailedRead(log, error, "blog post could not be read");
    return data({ state: "failed" as const }, { status: 503 });
  }
  const text = markdownText(post.content);
  return data({
    state: "loaded" as const,
    siteUrl,
    summary: toSummary(post),
    image: await ogImageOf(post),
    description: excerpt(text, DESCRIPTION_LENGTH),
    html: renderMarkdown(post.content),
    related: relatedCourses(`${post.title} ${text}`),
  });
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (loaderData?.state !== "loaded") {
    return [
      { title: `${loaderData?.state === "missing" ? "Blog post not found" : "Blog"} | ${provider.name}` },
      { name: "robots", content: "noindex" },
    ];
  }
  const { summary, image, description, siteUrl } = loaderData;
  const { title, path, author, published, updated } = summary;
  return pageMeta({
    type: "blog",
    title: pageTitle(title),
    description,
    path,
    siteUrl,
    author,
    published,
    image,
    graph: [
      blogPosting(siteUrl, { title, description, path, author, published, updated, image }),
      breadcrumb(siteUrl, [
        { name: "Blog", path: href("/blog") },
        { name: title, path },
      ]),
    ],
  });
}

export default function Post({ loaderData }: Route.ComponentProps) {
  if (loaderData.state === "loaded") return <PostArticle {...loaderData} />;
  if (loaderData.state === "missing")
    return (
      <PostProblem title="Blog post not found">
        <p>It may have been taken down, or the address was mistyped.</p>
        <ContactBlock variant="inline" />
      </PostProblem>
    );
  return (
    <PostProblem title="Failed to load blog post. Please try again later.">
      <ContactBlock variant="inline" />
    </PostProblem>
  );
}
