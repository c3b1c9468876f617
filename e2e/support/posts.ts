import type { Locator, Page } from "playwright-core";

/** The public pages that list a post, and "page" for the page of the post. */
export const PAGES_WITH_POST = ["/blog", "/blog/rss.xml", "/sitemap.xml", "page"];

/** Returns those of `PAGES_WITH_POST` on which a visitor without a session sees a post. */
export async function seenByVisitors(page: Page, slug: string): Promise<string[]> {
  const { origin } = new URL(page.url());
  const listed = await Promise.all(
    PAGES_WITH_POST.slice(0, 3).map(async (path) => ((await (await fetch(origin + path)).text()).includes(`/blog/${slug}`) ? path : [])),
  );
  const { status } = await fetch(`${origin}/blog/${slug}`);
  return [...listed.flat(), ...(status === 200 ? ["page"] : [])];
}

/** Reads posts from the REST API with the session of the page. */
export function storedPosts(page: Page, query: string, select: string): Promise<unknown> {
  return ask(page, `/rest/v1/blog_posts?${query}&select=${select}`, { method: "GET" });
}

/** Writes to posts with the session of the page, without the editor. */
export function writePosts(page: Page, query: string, values: object): Promise<unknown> {
  return ask(page, `/rest/v1/blog_posts?${query}&select=id`, { method: "PATCH", body: JSON.stringify(values) });
}

function ask(page: Page, path: string, init: { method: string; body?: string }): Promise<unknown> {
  return page.evaluate(
    async ([url, request]) => {
      const session: unknown = JSON.parse(
        localStorage.getItem(Object.keys(localStorage).find((key) => key.startsWith("sb-")) ?? "") ?? "{}",
      );
      const signedIn = typeof session === "object" && session !== null && "access_token" in session;
      const token = signedIn && typeof session.access_token === "string" ? session.access_token : "";
      const apikey = document.querySelector<HTMLMetaElement>('meta[name="publishable-key"]')?.content ?? "";
      const headers = { apikey, Authorization: `Bearer ${token}`, "Content-Type": "application/json", Prefer: "return=representation" };
      return (await fetch(url, { ...request, headers })).json();
    },
    [path, init] as const,
  );
}

/** Shows posts in Markdown from the next page on, as after a press of "Markdown". */
export async function preferMarkdown(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem("post-editor", "markdown"));
}

/** The editor of rich text; until it is loaded, a text area has its name. */
export function richText(page: Page): Locator {
  return page.getByRole("textbox", { name: "Content", exact: true }).and(page.locator("[contenteditable]"));
}

/** The preview in the editor. */
export function preview(page: Page): Locator {
  return page.getByRole("region", { name: "Preview" });
}
