import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { DESK, follow, openPublicSite } from "../support/public-site.ts";

const POST = "/blog/what-to-pack-for-your-first-day-of-door-supervisor-training";

const KEYS = { PUBLISHABLE_KEY: "sb_publishable_blog-0123456789abcdef", SECRET_KEY: "sb_secret_blog-0123456789abcdef" };

const site = openPublicSite(KEYS);
/** Later than every post of the sample. */
const published = new Date(Date.now() - 60_000);
let office: SupabaseClient;
let page: Page;

beforeAll(async () => {
  office = createClient(site.url(), KEYS.SECRET_KEY, { auth: { persistSession: false } });
  page = await site.open({ viewport: DESK });
});

describe("the blog", () => {
  beforeAll(async () => {
    const content = `${"A sentence that goes on. ".repeat(20)}\n\nAsk about First Aid at Work Level 3 and CCTV Operator.`;
    const post = { title: "On & on", slug: "on", content, author: "Jess Airey", published_at: published.toISOString() };
    const { error } = await office.from("blog_posts").insert(post);
    if (error) throw error;
  });

  test("lists posts, the newest first, each with 150 characters, author, date and reading time", async () => {
    await page.goto("/blog");
    const titles = await page.getByRole("heading", { level: 2 }).allInnerTexts();
    expect(titles[0]).toBe("On & on");
    const card = page.getByRole("article").first();
    const excerpt = (await card.locator("p").last().innerText()).trim();
    expect(excerpt).toMatch(/^A sentence that goes on\. .*…$/);
    expect(excerpt.length).toBeGreaterThan(120);
    expect(excerpt.length).toBeLessThanOrEqual(150);
    const day = published.toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "Europe/London" });
    for (const fact of ["Jess Airey", day, "1 min read"]) await card.getByText(fact, { exact: true }).waitFor();
  });

  test("shows a post with its decorative picture and the length and price of the courses it mentions", async () => {
    await page.goto(POST);
    expect(await page.locator("article img").getAttribute("alt")).toBe("");
    await page.goto("/blog/on");
    const links = page.getByRole("complementary", { name: "Courses in this post" }).getByRole("listitem");
    expect((await links.allInnerTexts()).slice(0, 2).map((text) => text.replace(/\s+/g, " "))).toEqual([
      "First Aid at Work Level 3 3 days, £300",
      "CCTV Operator 5 days, £350",
    ]);
    await page.getByRole("complementary", { name: "Courses in this post" }).getByRole("link", { name: "CCTV Operator" }).click();
    await page.getByRole("heading", { level: 1, name: "CCTV Operator" }).waitFor();
  });

  test("fits a phone if a post begins with a long word or address", async () => {
    const phone = await site.open({ viewport: { width: 360, height: 740 } });
    const content = `https://training.example/${"a".repeat(300)} and more.`;
    const post = { title: "Q".repeat(120), slug: "long", content, author: "Jess Airey", published_at: "2020-01-01T09:00Z" };
    expect((await office.from("blog_posts").insert(post)).error).toBeNull();
    for (const path of ["/blog", "/blog/long"]) {
      await phone.goto(path);
      expect([path, await phone.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 360]);
    }
    expect((await office.from("blog_posts").delete().eq("slug", "long")).error).toBeNull();
  });

  test("has a feed that feed readers accept", async () => {
    await page.goto("/blog");
    const feed = await page.evaluate(async () => {
      const address = document.querySelector<HTMLLinkElement>("link[type='application/rss+xml']")?.href ?? "";
      const answer = await fetch(address);
      const xml = new DOMParser().parseFromString(await answer.text(), "application/xml");
      const items = [...xml.querySelectorAll("item")].map((item) =>
        ["title", "link", "guid", "pubDate"].map((tag) => item.querySelector(tag)?.textContent),
      );
      return { type: answer.headers.get("content-type"), broken: xml.querySelector("parsererror") !== null, items };
    });
    expect([feed.type, feed.broken, feed.items.length]).toEqual(["application/rss+xml; charset=utf-8", false, 4]);
    const link = `${site.url()}/blog/on`;
    expect(feed.items[0]).toEqual(["On & on", link, link, published.toUTCString()]);
  });

  test("lists posts in pages of ten, and finds those with all words of a search, without scripts", async () => {
    const posts = Array.from({ length: 12 }, (_, number) => ({
      title: `Walk ${number}`,
      slug: `walk-${number}`,
      content: number === 7 ? "A tarn, 50% frozen." : "A ridge.",
      author: "Jess Airey",
      published_at: "2020-01-06T09:00Z",
    }));
    const { error } = await office.from("blog_posts").insert(posts);
    if (error) throw error;
    const visitor = await site.open({ javaScriptEnabled: false });
    const cards = visitor.getByRole("main").getByRole("article");
    await visitor.goto("/blog");
    expect(await cards.count()).toBe(10);
    await follow(visitor, visitor.getByRole("link", { name: "Older", exact: true }));
    expect(await visitor.locator("link[rel=canonical]").getAttribute("href")).toBe(`${site.url()}/blog?page=2`);
    expect(await visitor.title()).toMatch(/^Page 2: Blog/);
    expect(await cards.count()).toBe(6);
    await visitor.getByLabel("Search the blog").fill("frozen, WALK");
    await follow(visitor, visitor.getByRole("button", { name: "Search" }));
    expect(await cards.getByRole("heading").allInnerTexts()).toEqual(["Walk 7"]);
    for (const words of ["yeti%", "a)b,title.eq.x", "%00", "a ".repeat(500)]) {
      expect((await fetch(`${site.url()}/blog-search?for=${encodeURIComponent(words)}`)).status, words).toBe(200);
    }
    await visitor.goto("/blog-search?for=yeti");
    await visitor.getByText("No post has these words.").waitFor();
    await visitor.getByRole("heading", { name: "The newest posts" }).waitFor();
    expect(await visitor.getByRole("article").count()).toBe(3);
    await visitor.context().close();
  });

  test("shows a message if there are no posts", async () => {
    const { error } = await office.from("blog_posts").delete().not("id", "is", null);
    if (error) throw error;
    await page.goto("/blog");
    await page.getByText("No blog posts available yet.").waitFor();
    expect(await (await fetch(`${site.url()}/blog/rss.xml`)).text()).not.toContain("<item>");
  });
});
