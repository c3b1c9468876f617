import { courses } from "content/courses/index.ts";
import { pages } from "content/pages.ts";
import { href } from "react-router";
import { isPublished } from "../posts/published-posts.server.ts";
import { expireAtNextPost } from "../server/post-expiry.server.ts";
import { xmlText } from "../seo/xml.ts";
import { siteContext } from "../server/site-context.server.ts";
import { logFailedRead } from "../supabase/log-failed-read.ts";
import type { Route } from "./+types/sitemap";

/** Every public page that search engines may list, with the time of its last change where the database records one. */
export async function loader({ context }: Route.LoaderArgs) {
  const { supabase, siteUrl, log } = context.get(siteContext);
  await expireAtNextPost(context);
  const [dates, removals, posts] = await Promise.all([
    supabase.from("course_dates").select("course_name, updated_at"),
    supabase.rpc("course_removals"),
    supabase.from("blog_posts").select("slug, published_at, updated_at").order("published_at", { ascending: false }),
  ]);
  for (const { error } of [dates, removals, posts]) if (error) logFailedRead(log, error, "sitemap is incomplete");

  const dateChanges = [
    ...(dates.data ?? []).map((row): [string, string] => [row.course_name, row.updated_at]),
    ...Object.entries(removals.data ?? {}).map(([name, removed]): [string, string] => [name, String(removed)]),
  ].toSorted(([, one], [, other]) => Date.parse(one) - Date.parse(other));
  const latestChanges = new Map(dateChanges);
  const postChanges = (posts.data ?? [])
    .filter(isPublished)
    .map(
      ({ slug, updated_at, published_at }) =>
        [href("/blog/:slug", { slug }), updated_at > published_at ? updated_at : published_at] as const,
    );
  const newestPost = postChanges
    .map(([, changed]) => changed)
    .toSorted()
    .at(-1);
  const changes = new Map<string, string | undefined>([
    [href("/"), dateChanges.at(-1)?.[1]],
    ...courses.map(({ link, courseName }) => [link, latestChanges.get(courseName)] as const),
    [href("/blog"), newestPost],
    ...postChanges,
  ]);
  const urls = pages
    .filter(({ inSitemap }) => inSitemap)
    .flatMap(({ path, entries }) =>
      entries === "posts" ? postChanges.map(([post]) => post) : (entries?.map((entry) => entry.path) ?? path),
    )
    .map((path) => {
      const changed = changes.get(path);
      const modified = changed === undefined ? "" : `<lastmod>${new Date(changed).toISOString()}</lastmod>`;
      return `<url><loc>${xmlText(siteUrl + path)}</loc>${modified}</url>\n`;
    });
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join("")}</urlset>\n`,
    { status: dates.error || removals.error || posts.error ? 503 : 200, headers: { "Content-Type": "application/xml; charset=utf-8" } },
  );
}
