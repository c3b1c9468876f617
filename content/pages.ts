import { categories } from "./categories.ts";
import { courses } from "./courses/index.ts";
import { daysOfWeek as days, months as month } from "./date-filters.ts";
import { goals } from "./rules/goals.ts";

/** A path of the public site. */
export interface PublicRoute {
  /** In the syntax of the router: `:slug` matches one segment. */
  path: string;
  /** Its module, from `site/app/routes`. */
  file: `${string}.ts` | `${string}.tsx`;
  /** True if a GET gives every visitor the same response, so that the page cache may store it. */
  cached?: boolean;
  /** The query parameters that a cached page reads, each with the values that change the page; the page receives no others. */
  query?: Readonly<Record<string, readonly string[]>>;
  /** True if it is answered under overload too, as the portal is. */
  essential?: boolean;
}

/** A public page. */
export interface Page extends PublicRoute {
  /** Name in the statistics; entries have their own. */
  title: string;
  /** True if its views are counted in the statistics. */
  counted: boolean;
  /** True if search engines may list it. */
  inSitemap: boolean;
  /** True if the browser hydrates it with `<file>.island.tsx`, beside its module. */
  island?: boolean;
  /** True if it links the styles below its first screen with `LaterStyles`, instead of containing them. */
  linksLaterStyles?: boolean;
  /** The pages of a path with a parameter: these, or one for each published post. */
  entries?: readonly { path: string; title: string }[] | "posts";
}

/** The start of the path of every post; its slug follows. */
export const POST_PREFIX = "/blog/";

const category = categories.map(({ id }) => id);
/** The numbers of the later pages of a list; the first has no number. */
const laterPage = Array.from({ length: 49 }, (_, index) => String(index + 2));
const courseEntries = courses.map(({ link, title }) => ({ path: link, title }));

/** Every public page; its route, cache, script, statistics, sitemap entry and tests derive from this list. */
export const pages: readonly Page[] = [
  {
    path: "/",
    file: "home/home.tsx",
    title: "Home",
    counted: true,
    inSitemap: true,
    cached: true,
    query: { category },
    island: true,
    linksLaterStyles: true,
  },
  {
    path: "/courses",
    file: "courses/courses.tsx",
    title: "Courses",
    counted: true,
    inSitemap: true,
    cached: true,
    query: { category, month, days },
  },
  { path: "/courses/compare", file: "courses/compare.tsx", title: "Compare courses", counted: false, inSitemap: false },
  {
    path: "/dates",
    file: "home/dates/dates.tsx",
    title: "All dates",
    counted: true,
    inSitemap: true,
    cached: true,
    query: { month, days, page: laterPage },
  },
  {
    path: "/:courseId",
    file: "course/course.tsx",
    title: "Course",
    counted: true,
    inSitemap: true,
    cached: true,
    query: { month, page: laterPage },
    entries: courseEntries,
  },
  { path: "/blog", file: "blog/blog.tsx", title: "Blog", counted: true, inSitemap: true, cached: true, query: { page: laterPage } },
  { path: "/blog-search", file: "blog/search.tsx", title: "Search the blog", counted: false, inSitemap: false },
  { path: `${POST_PREFIX}:slug`, file: "blog/post.tsx", title: "Post", counted: true, inSitemap: true, cached: true, entries: "posts" },
  // Only staff give its addresses to others, so it has no entries.
  { path: "/preview/:key", file: "blog/preview.tsx", title: "Preview of a post", counted: false, inSitemap: false, entries: [] },
  { path: "/enquiry", file: "enquiry/enquiry.tsx", title: "Ask a question", counted: false, inSitemap: true },
  { path: "/enquiry/thanks", file: "enquiry/thanks.tsx", title: "Thank you", counted: false, inSitemap: false },
  {
    path: "/route",
    file: "route/route.tsx",
    title: "Plan your route",
    counted: true,
    inSitemap: true,
    cached: true,
    query: { goal: goals.map(({ id }) => id), "first-aid": ["held"] },
  },
  // Only links from course dates lead to it, so it has no entries.
  { path: "/ask/:dateId", file: "enquiry/ask/ask.tsx", title: "Ask for this place", counted: false, inSitemap: false, entries: [] },
  { path: "/privacy-policy", file: "legal/legal.tsx", title: "Privacy policy", counted: false, inSitemap: true, cached: true },
  { path: "/terms-conditions", file: "legal/legal.tsx", title: "Terms and conditions", counted: false, inSitemap: true, cached: true },
];

/** Paths that people guess or print on flyers, with the place each redirects to. */
export const redirects: ReadonlyMap<string, `/${string}`> = new Map([["/contact", "/#contact"]]);

/** The paths and titles of all pages except posts, each with its declaration. */
export const fixedPages = pages.flatMap((page) =>
  page.entries === "posts" ? [] : (page.entries ?? [page]).map(({ path, title }) => ({ path, title, page })),
);

/** A page whose views are counted. */
interface CountedPage {
  /** Without query, fragment and trailing slash. */
  path: string;
  /** Set for the page of a blog post: it exists only while a published post has this slug. */
  postSlug?: string;
}

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const LONGEST_PATH = 512;
const countsPosts = pages.some(({ entries, counted }) => entries === "posts" && counted);
const countedPaths = new Set(fixedPages.filter(({ page }) => page.counted).map(({ path }) => path));

/** The counted page at a path; undefined if there is none. */
export function countedPage(pathWithQuery: string): CountedPage | undefined {
  const [bare = ""] = pathWithQuery.split(/[?#]/, 1);
  const path = bare.length > 1 ? bare.replace(/\/$/, "") : bare;
  if (path.length > LONGEST_PATH) return undefined;
  if (countedPaths.has(path)) return { path };
  const postSlug = path.startsWith(POST_PREFIX) ? path.slice(POST_PREFIX.length) : "";
  return countsPosts && SLUG.test(postSlug) ? { path, postSlug } : undefined;
}
