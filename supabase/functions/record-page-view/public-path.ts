import { courses } from "content/courses/index.ts";

const LONGEST_PATH = 512;
const POST = /^\/blog\/([a-z0-9]+(?:-[a-z0-9]+)*)$/;

const staticPages = new Set(["/", "/blog", "/privacy-policy", "/terms-conditions", ...courses.map((course) => course.link)]);

export interface PublicPage {
  /** The path as it is counted, without query, fragment and closing slash. */
  path: string;
  /** Set where the page exists only while a post of this slug does. */
  postSlug?: string;
}

/** The public page at a path, or undefined where there can be none. */
export function publicPage(pagePath: string): PublicPage | undefined {
  const [bare = ""] = pagePath.split(/[?#]/, 1);
  const path = bare.length > 1 ? bare.replace(/\/$/, "") : bare;
  if (path.length > LONGEST_PATH) return undefined;
  if (staticPages.has(path)) return { path };
  const postSlug = POST.exec(path)?.[1];
  return postSlug === undefined ? undefined : { path, postSlug };
}
