import { fixedPages, POST_PREFIX } from "content/pages.ts";
import type { ProjectClient } from "../_shared/runtime.ts";

/** The titles of the pages at these paths; unknown paths have none. */
export async function pageTitles(paths: readonly string[], project: ProjectClient): Promise<Map<string, string>> {
  const titles = new Map(fixedPages.map(({ path, title }) => [path, title]));
  const slugs = paths.filter((path) => path.startsWith(POST_PREFIX)).map((path) => path.slice(POST_PREFIX.length));
  if (slugs.length > 0) {
    const { data } = await project.from("blog_posts").select("slug, title").in("slug", slugs);
    for (const post of data ?? []) titles.set(POST_PREFIX + post.slug, post.title);
  }
  return titles;
}
