import { provider } from "content/provider.ts";
import { href } from "react-router";
import { isPublished } from "../../posts/published-posts.server.ts";
import { expireAtNextPost } from "../../server/post-expiry.server.ts";
import { siteContext } from "../../server/site-context.server.ts";
import { xmlText } from "../../seo/xml.ts";
import { logFailedRead } from "../../supabase/log-failed-read.ts";
import type { Route } from "./+types/rss";
import { toSummary } from "./post-view.server.ts";

const MOST_ITEMS = 30;

/** The newest posts as RSS 2.0. */
export async function loader({ context }: Route.LoaderArgs) {
  const { supabase, siteUrl, log } = context.get(siteContext);
  await expireAtNextPost(context);
  const { data, error } = await supabase.from("blog_posts").select("*").order("published_at", { ascending: false }).limit(MOST_ITEMS);
  if (error) logFailedRead(log, error, "the feed is incomplete");
  const items = (data ?? [])
    .filter(isPublished)
    .map(toSummary)
    .map(
      (post) =>
        `<item><title>${xmlText(post.title)}</title><link>${xmlText(siteUrl + post.path)}</link>` +
        `<guid isPermaLink="true">${xmlText(siteUrl + post.path)}</guid><pubDate>${new Date(post.published).toUTCString()}</pubDate>` +
        `<dc:creator>${xmlText(post.author)}</dc:creator><description>${xmlText(post.excerpt)}</description></item>\n`,
    );
  const feed =
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>\n` +
    `<title>${xmlText(provider.name)}: blog</title><link>${siteUrl}/blog</link>` +
    `<description>Security licences, first aid and safety at work.</description><language>en-gb</language>` +
    `<atom:link href="${siteUrl}${href("/blog/rss.xml")}" rel="self" type="application/rss+xml"/>\n${items.join("")}</channel></rss>\n`;
  return new Response(feed, { status: error ? 503 : 200, headers: { "Content-Type": "application/rss+xml; charset=utf-8" } });
}
