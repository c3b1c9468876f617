import { courses } from "content/courses/index.ts";

const MAX_PATH = 512;
const POST = /^\/blog\/([a-z0-9]+(?:-[a-z0-9]+)*)$/;

const staticPages = new Set(["/", "/blog", "/privacy-policy", "/terms-conditions", ...courses.map((course) => course.link)]);

export interface PublicPage {
  /** The path without query, fragment and trailing slash. */
  path: string;
  /** Set if the page exists only while a post with this slug is published. */
  postSlug?: string;
}

/** The public page at a path; undefined if there can be none. */
export function publicPage(pagePath: string): PublicPage | undefined {
  const [bare = ""] = pagePath.split(/[?#]/, 1);
  const path = bare.length > 1 ? bare.replace(/\/$/, "") : bare;
  if (path.length > MAX_PATH) return undefined;
  if (staticPages.has(path)) return { path };
  const postSlug = POST.exec(path)?.[1];
  return postSlug === undefined ? undefined : { path, postSlug };
}
