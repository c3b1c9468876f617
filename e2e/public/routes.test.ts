import { courses } from "content/courses/index.ts";
import { fixedPages, redirects } from "content/pages.ts";
import { provider } from "content/provider.ts";
import { expect, inject, test } from "vitest";

// Every public page and the screens of the portal, as a browser without scripts receives them.

const site = { url: inject("publicSiteUrl") };

/** A sentence of each page that is neither a course nor a form. */
const SENTENCES: Record<string, string> = {
  "/": "Next available courses",
  "/blog": "What to pack for your first day",
  "/privacy-policy": "13 July 2025",
  "/terms-conditions": "13 July 2025",
};
const PORTAL = ["/admin", "/admin/courses", "/admin/blog", "/admin/set-up", "/admin/password", "/admin/staff", "/admin/profile"];

async function get(path: string): Promise<{ status: number; title: string; html: string }> {
  const response = await fetch(site.url + path);
  const html = await response.text();
  return { status: response.status, title: /<title>(.*?)<\/title>/.exec(html)?.[1] ?? "", html };
}

/** The text of a document, without tags and scripts, with entities decoded. */
function textOf(html: string): string {
  return html
    .replaceAll(/<(script|style)[\s\S]*?<\/\1>/g, " ")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll("&amp;", "&")
    .replaceAll("&#x27;", "'")
    .replaceAll(/\s+/g, " ");
}

test.each(fixedPages)("$path responds with its title, one heading and its text", async ({ path, title, page: { counted, island } }) => {
  const page = await get(path);
  expect(page.status).toBe(200);
  expect(textOf(page.title)).toContain(path === "/" ? provider.name : title);
  expect(page.html.match(/<h1/g)).toHaveLength(1);
  expect(textOf(page.html)).toContain(SENTENCES[path] ?? title);
  expect([page.html.includes('name="visit-key"'), page.html.includes('id="island-data"')]).toEqual([counted, island === true]);
});

test.each([
  ["/blog/what-to-pack-for-your-first-day-of-door-supervisor-training", "What to pack", "Papers first"],
  ["/admin", "Staff portal", "Staff"],
  ["/admin/courses", "Course Management", "Course Management"],
  ["/admin/blog", "Blog Management", "Blog Management"],
  ["/admin/set-up", "Set up the portal", "Set up"],
  ["/admin/password", "Choose a password", "Choose a password"],
  ["/admin/staff", "Staff", "Staff"],
  ["/admin/profile", "My profile", "My profile"],
])("%s responds with its title and content", async (path, title, content) => {
  const page = await get(path);
  expect(page.status).toBe(200);
  expect(page.title).toContain(title);
  expect(textOf(page.html)).toContain(content);
  expect(page.html.match(/<h1/g)).toHaveLength(1);
});

test.each(courses)("$link shows the name, price, duration and upcoming dates of its course", async ({ link, title, price, duration }) => {
  const page = await get(link);
  const text = textOf(page.html);
  expect(page.status).toBe(200);
  expect(textOf(/<h1.*?<\/h1>/s.exec(page.html)?.[0] ?? "").trim()).toBe(title);
  for (const shown of [title, `£${price.toLocaleString("en-GB")}`, duration]) {
    expect(text).toContain(shown);
    expect(page.title.replaceAll("&amp;", "&")).toContain(shown);
  }
  const dates = [...page.html.matchAll(/<time[^>]* dateTime="([^"]+)"/gi)].map(([, instant]) => Date.parse(instant ?? ""));
  for (const date of dates) expect(date).toBeGreaterThan(Date.now());
});

test.each([["/nowhere"], ["/blog/nobody-wrote-this"], ["/blog/"], ["/door-supervisor/more"], ["/wp-login.php"], ["/index.php?x=1"]])(
  "%s responds with 404 or redirects to a page",
  async (path) => {
    const page = await get(path);
    expect(page.status).toBe(path === "/blog/" ? 200 : 404);
  },
);

test("public pages contain no styles of the portal", async () => {
  for (const path of ["/", "/cctv", "/blog", "/enquiry"]) expect((await get(path)).html, path).not.toMatch(/assets\/portal-[^"]*\.css/);
});

test("home shows the category of its address, and is cached for each", async () => {
  const categories = await Promise.all(
    ["/?category=medical", "/?utm_source=news&category=medical", "/?category=refresher"].map((path) => fetch(site.url + path)),
  );
  const tags = categories.map(({ headers }) => headers.get("etag"));
  expect(tags[0]).not.toBeNull();
  expect(tags[1]).toBe(tags[0]);
  expect(tags[2]).not.toBe(tags[0]);
});

test("a course card shows the same next start as the page of its course", async () => {
  const starts = async (category: string): Promise<[path: string, start: string | undefined][]> => {
    const { html } = await get(`/?category=${category}`);
    const cards = html.split('id="courses"')[1]?.split('id="testimonials"')[0]?.split("<article").slice(1) ?? [];
    return cards.map((card) => [/href="(\/[^"]+)"/.exec(card)?.[1] ?? "", /Next start ([A-Z]\w+ \d+ \w+ \d{4})/.exec(textOf(card))?.[1]]);
  };
  const cards = (await Promise.all(["security", "medical", "refresher", "health-safety"].map(starts))).flat();
  expect(cards).toHaveLength(courses.length);
  for (const [path, start] of cards)
    expect(/Next start ([A-Z]\w+ \d+ \w+ \d{4})/.exec(textOf((await get(path)).html))?.[1], path).toBe(start);
});

test.each([
  ["/Door-Supervisor?utm_source=flyer", "/door-supervisor?utm_source=flyer"],
  ["/CCTV/", "/cctv"],
  ["/Courses/?category=medical", "/courses?category=medical"],
  ["/contact", "/#contact"],
])("%s redirects to %s", async (path, target) => {
  const { status, headers } = await fetch(site.url + path, { redirect: "manual" });
  expect([status, headers.get("location")]).toEqual([301, target]);
});

test("the target of every redirect exists", async () => {
  for (const target of redirects.values()) {
    const [path = "", id] = target.split("#");
    expect((await get(path)).html).toContain(`id="${id}"`);
  }
});

test.each(courses)("the title of $link is short enough for search engines", async ({ link }) => {
  expect((await get(link)).title.replaceAll("&amp;", "&").length).toBeLessThanOrEqual(60);
});

test("the portal is excluded from search engines", async () => {
  for (const path of PORTAL) expect((await get(path)).html).toMatch(/<meta name="robots" content="noindex/);
});

test("the sitemap lists every public page and published post, and nothing else", async () => {
  const { html } = await get("/sitemap.xml");
  const listed = [...html.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => new URL(address ?? "").pathname);
  const isPost = (path: string): boolean => path.startsWith("/blog/");
  expect(listed.filter((path) => !isPost(path)).sort()).toEqual(
    fixedPages
      .filter(({ page }) => page.inSitemap)
      .map(({ path }) => path)
      .sort(),
  );
  expect(listed.some(isPost)).toBe(true);
  for (const path of listed) expect((await fetch(site.url + path, { method: "HEAD" })).status, path).toBe(200);
});
