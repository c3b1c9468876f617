import { courses } from "./courses/index.ts";

/** A public page with a fixed path. */
export interface Page {
  path: string;
  /** Name in the statistics and in lists of pages. */
  title: string;
  /** True if its views are counted in the statistics. */
  counted: boolean;
  /** True if search engines may list it. */
  inSitemap: boolean;
}

/** Every public page with a fixed path; the sitemap, the statistics and the tests of routes derive from this list. */
export const pages: readonly Page[] = [
  { path: "/", title: "Home", counted: true, inSitemap: true },
  ...courses.map(({ link, title }) => ({ path: link, title, counted: true, inSitemap: true })),
  { path: "/blog", title: "Blog", counted: true, inSitemap: true },
  { path: "/enquiry", title: "Ask a question", counted: false, inSitemap: true },
  { path: "/enquiry/thanks", title: "Thank you", counted: false, inSitemap: false },
  { path: "/privacy-policy", title: "Privacy policy", counted: false, inSitemap: true },
  { path: "/terms-conditions", title: "Terms and conditions", counted: false, inSitemap: true },
];

/** A page whose views are counted. */
export interface CountedPage {
  /** Without query, fragment and trailing slash. */
  path: string;
  /** Set for the page of a blog post: it exists only while a published post has this slug. */
  postSlug?: string;
}

const POST_PATH = /^\/blog\/([a-z0-9]+(?:-[a-z0-9]+)*)$/;
const LONGEST_PATH = 512;
const countedPaths = new Set(pages.filter(({ counted }) => counted).map(({ path }) => path));

/** The counted page at a path; undefined if there is none. */
export function countedPage(pathWithQuery: string): CountedPage | undefined {
  const [bare = ""] = pathWithQuery.split(/[?#]/, 1);
  const path = bare.length > 1 ? bare.replace(/\/$/, "") : bare;
  if (path.length > LONGEST_PATH) return undefined;
  if (countedPaths.has(path)) return { path };
  const postSlug = POST_PATH.exec(path)?.[1];
  return postSlug === undefined ? undefined : { path, postSlug };
}
