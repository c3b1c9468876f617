import type { SupabaseClient } from "@supabase/supabase-js";
import { courses } from "content/courses/index.ts";
import type { Database } from "../../database.types.ts";

const POST_PREFIX = "/blog/";

const ownTitles = [
  ["/", "Home"],
  ["/blog", "Blog"],
  ["/privacy-policy", "Privacy Policy"],
  ["/terms-conditions", "Terms and Conditions"],
] as const;

/** The titles people know the pages at these paths by; a path without one is left out. */
export async function pageTitles(paths: readonly string[], project: SupabaseClient<Database>): Promise<Map<string, string>> {
  const titles = new Map<string, string>([...ownTitles, ...courses.map((course) => [course.link, course.title] as const)]);
  const slugs = paths.filter((path) => path.startsWith(POST_PREFIX)).map((path) => path.slice(POST_PREFIX.length));
  if (slugs.length > 0) {
    const { data } = await project.from("blog_posts").select("slug, title").in("slug", slugs);
    for (const post of data ?? []) titles.set(POST_PREFIX + post.slug, post.title);
  }
  return titles;
}
