import { provider } from "content/provider.ts";
import { data, href, redirect } from "react-router";
import { z } from "zod";
import { markdownText, renderMarkdown } from "../../posts/markdown.ts";
import { siteContext } from "../../server/site-context.server.ts";
import { isUuid } from "../../supabase/is-uuid.ts";
import { logFailedRead } from "../../supabase/log-failed-read.ts";
import { londonDay } from "../../time/london-date.ts";
import { Message } from "../../ui/message.tsx";
import type { Route } from "./+types/preview";
import { PostArticle, PostProblem } from "./post-article.tsx";
import { toSummary } from "./post-view.server.ts";
import { relatedCourses } from "./related-courses.ts";

const NOTICE = "Preview of a post that is not published";
// The address is a secret, so it goes to no search engine, cache or other site. Our own forms need the origin in their requests.
const HEADERS = { "Cache-Control": "no-store", "Referrer-Policy": "same-origin", "X-Robots-Tag": "noindex, nofollow" };

const previewSchema = z.object({
  title: z.string(),
  author: z.string(),
  content: z.string(),
  image_url: z.string().nullable(),
  slug: z.string().nullable(),
  published_at: z.string().nullable(),
  updated_at: z.string(),
  is_published: z.boolean(),
  expires_at: z.string(),
});

export async function loader({ params, context }: Route.LoaderArgs) {
  if (!isUuid(params.key)) return answer({ state: "ended" as const }, 404);
  const { supabase, log } = context.get(siteContext);
  const { data: row, error } = await supabase.rpc("post_preview", { key: params.key });
  if (error) {
    logFailedRead(log, error, "preview of a post could not be read");
    return answer({ state: "failed" as const }, 503);
  }
  if (row === null) return answer({ state: "ended" as const }, 404);
  const post = previewSchema.parse(row);
  if (post.is_published && post.slug !== null) throw redirect(href("/blog/:slug", { slug: post.slug }), { headers: HEADERS });
  const title = post.title.trim() || "Untitled draft";
  // A draft has the day on which it would be published now.
  const published_at = post.published_at ?? new Date().toISOString();
  return answer({
    state: "loaded" as const,
    summary: toSummary({ ...post, title, slug: post.slug ?? "", published_at }),
    html: renderMarkdown(post.content),
    related: relatedCourses(`${title} ${markdownText(post.content)}`),
    ends: londonDay(post.expires_at),
  });
}

function answer<Body>(body: Body, status = 200) {
  return data(body, { status, headers: HEADERS });
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta({ loaderData }: Route.MetaArgs) {
  const title = loaderData?.state === "loaded" ? `Preview: ${loaderData.summary.title}` : "Preview of a post";
  return [{ title: `${title} | ${provider.name}` }, { name: "robots", content: "noindex, nofollow" }];
}

/** A post that is not published, for anybody who was given its secret address. */
export default function Preview({ loaderData }: Route.ComponentProps) {
  if (loaderData.state === "loaded")
    return (
      <PostArticle
        {...loaderData}
        notice={
          <Message>
            <p>
              <strong>{NOTICE}</strong>
            </p>
            <p>This address works until {loaderData.ends}. Please give it to nobody else.</p>
          </Message>
        }
      />
    );
  if (loaderData.state === "ended")
    return (
      <PostProblem title="This preview has ended">
        <p>A preview can be opened for 14 days, or until we stop sharing it. Ask the person who sent you the link for a new one.</p>
      </PostProblem>
    );
  return (
    <PostProblem title="The preview cannot be shown at the moment">
      <p>Please try again in a few minutes.</p>
    </PostProblem>
  );
}
