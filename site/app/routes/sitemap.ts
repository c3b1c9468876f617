import { courses } from "content/courses/index.ts";
import { isPublished, standUntilNextPost } from "../posts/published-posts.server.ts";
import { siteContext } from "../server/site-context.server.ts";
import { xmlText } from "../seo/xml.ts";
import type { Route } from "./+types/sitemap";

/** Every public page; where the database knows when a page last changed, it says so, and nothing where it does not. */
export async function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const { supabase, siteUrl, log } = site;
  await standUntilNextPost(site);
  const [dates, posts] = await Promise.all([
    supabase.from("course_dates").select("course_name, created_at").order("created_at", { ascending: true }),
    supabase.from("blog_posts").select("slug, published_at, updated_at").order("published_at", { ascending: false }),
  ]);
  for (const { error } of [dates, posts]) if (error) log.error({ err: error }, "sitemap is incomplete");

  const published = (posts.data ?? []).filter(isPublished).map((post) => ({
    path: `/blog/${post.slug}`,
    changed: post.updated_at > post.published_at ? post.updated_at : post.published_at,
  }));
  const newest = new Map((dates.data ?? []).map((row) => [row.course_name, row.created_at]));
  const pages: { path: string; changed?: string | undefined }[] = [
    { path: "/", changed: dates.data?.at(-1)?.created_at },
    ...courses.map((course) => ({ path: course.link, changed: newest.get(course.courseName) })),
    {
      path: "/blog",
      changed: published
        .map(({ changed }) => changed)
        .toSorted()
        .at(-1),
    },
    ...published,
    { path: "/enquiry" },
    { path: "/privacy-policy" },
    { path: "/terms-conditions" },
  ];
  const entries = pages.map(({ path, changed }) => {
    const modified = changed === undefined ? "" : `<lastmod>${new Date(changed).toISOString()}</lastmod>`;
    return `<url><loc>${xmlText(siteUrl + path)}</loc>${modified}</url>\n`;
  });
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("")}</urlset>\n`,
    { status: dates.error || posts.error ? 503 : 200, headers: { "Content-Type": "application/xml; charset=utf-8" } },
  );
}
