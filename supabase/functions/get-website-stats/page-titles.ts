import { courses } from "content/courses/index.ts";
import type { ProjectClient } from "../_shared/runtime.ts";

const POST_PREFIX = "/blog/";

const ownTitles = [
  ["/", "Home"],
  ["/blog", "Blog"],
  ["/privacy-policy", "Privacy Policy"],
  ["/terms-conditions", "Terms and Conditions"],
] as const;

/** The titles of the pages at these paths; unknown paths have none. */
export async function pageTitles(paths: readonly string[], project: ProjectClient): Promise<Map<string, string>> {
  const titles = new Map<string, string>([...ownTitles, ...courses.map((course) => [course.link, course.title] as const)]);
  const slugs = paths.filter((path) => path.startsWith(POST_PREFIX)).map((path) => path.slice(POST_PREFIX.length));
  if (slugs.length > 0) {
    const { data } = await project.from("blog_posts").select("slug, title").in("slug", slugs);
    for (const post of data ?? []) titles.set(POST_PREFIX + post.slug, post.title);
  }
  return titles;
}
