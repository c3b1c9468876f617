import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { renderMarkdown } from "../site/app/markdown.ts";
import { deployments } from "./deployments.ts";
import { focused, openPortal, testScreen, violations } from "./portal.ts";

const DUE_MS = 6000;

/** What the preview must show as the page does: what Markdown knows, and what somebody might try with it. */
const DOCUMENTS = [
  "# One\n\n## Two\n\nText with **bold**, _italic_, `code` and ~~no~~.",
  "- a\n- b\n  1. c\n\n- [ ] to do\n- [x] done",
  "| a | b |\n|---|:-:|\n| 1 | 2 |",
  "> Quoted\n\n---\n\n```js\nlet x = '<b>';\n```",
  "[here](/cctv) [there](https://www.hse.gov.uk) <https://hse.gov.uk> www.hse.gov.uk ![Fells](/images/blog/winter-fells.svg)",
  "Title[^1]\n\n[^1]: A note",
  "## title\n\n## post_title\n\n## title",
  "<script>window.hit = 1</script>\n\n<img src=x onerror='window.hit = 2'>",
  "[x](javascript:window.hit=3) [x](JaVaScRiPt:window.hit=3) [x](data:text/html;base64,PHNjcmlwdD4=) ![x](data:text/html,<script>)",
  "<svg onload=window.hit=4><a href='javascript:window.hit=4'>x</a></svg>\n\n<iframe srcdoc='<script>parent.hit=5</script>'></iframe>",
  "<details open ontoggle=window.hit=6>x</details> &lt;script&gt; &#106;avascript: \u0000 \u202E",
  "[a]: javascript:window.hit=7 'b'\n\n[a]\n\n**<b onmouseover=window.hit=8>bold</b>**",
];

describe.each(Object.entries(deployments))("the blog editor, %s", (_name, deploy) => {
  const page = openPortal(deploy);

  test("a draft is written by keyboard alone, and saves itself", async () => {
    const { keyboard } = page();
    await page().goto("/admin/blog");
    await page().getByRole("button", { name: "New Post" }).focus();
    await keyboard.press("Enter");
    await page().getByLabel("Title").waitFor();
    await tabTo(page(), "title");
    await keyboard.type("Winter dates");
    await tabTo(page(), "author");
    await keyboard.type("Jo");
    await tabTo(page(), "slug");
    expect(await page().getByLabel("Address").inputValue()).toBe("winter-dates");
    await tabTo(page(), "content");
    await keyboard.press("ControlOrMeta+B");
    await keyboard.type("Wrap up");
    await keyboard.press("ControlOrMeta+B");
    await keyboard.type("\n\n- a coat");
    await keyboard.press("ControlOrMeta+Shift+Digit8");
    await keyboard.press("ControlOrMeta+Shift+Digit8");
    expect(await page().getByLabel("Content").inputValue()).toBe("**Wrap up**\n\n- a coat");
    await preview(page()).getByRole("listitem").getByText("a coat").waitFor();
    await page()
      .getByText(/^Saved at \d\d:\d\d$/)
      .waitFor();
  });

  test("the toolbar is one stop of the Tab key, and what it does can be undone", async () => {
    const text = page().getByLabel("Content");
    await text.selectText();
    await keyPath(page(), "Shift+Tab", "Shift+Tab");
    expect(await activeName(page())).toBe("Bold");
    await keyPath(page(), "ArrowRight", "ArrowRight", "ArrowRight");
    expect(await activeName(page())).toBe("Heading");
    await keyPath(page(), "Home", "ArrowLeft");
    expect(await activeName(page())).toBe("List");
    await keyPath(page(), "Tab", "Tab");
    await focused(page(), "content");
    const before = await text.inputValue();
    await text.press("ControlOrMeta+Shift+Digit2");
    expect(await text.inputValue()).not.toBe(before);
    await text.press("ControlOrMeta+Z");
    expect(await text.inputValue()).toBe(before);
  });

  test("what was typed last is there again after the page is loaded anew, saved or not", async () => {
    await page().getByLabel("Content").press("ControlOrMeta+End");
    await page().keyboard.type("\n- a hat");
    await page().reload();
    await page().waitForFunction(() => document.querySelector("textarea")?.value.endsWith("- a hat"));
    expect(await page().getByLabel("Title").inputValue()).toBe("Winter dates");
    await page().waitForFunction(() => !Object.values(sessionStorage).some((kept) => String(kept).includes("a hat")));
    await page().reload();
    await page().waitForFunction(() => document.querySelector("textarea")?.value.endsWith("- a hat"));
    expect(await page().getByText("What you typed before is back.").count()).toBe(0);
  });

  test("visitors see nothing of a draft", async () => {
    expect(await seenByVisitors(page(), "winter-dates")).toEqual([]);
  });

  test("the preview is the page: the same HTML for every text, and nothing in it runs", async () => {
    for (const markdown of DOCUMENTS) {
      await page().getByLabel("Content").fill(markdown);
      const made = await page().evaluate((html) => {
        const template = document.createElement("template");
        template.innerHTML = html;
        return template.innerHTML;
      }, renderMarkdown(markdown));
      await page().waitForFunction((wanted) => document.querySelector('section[aria-label="Preview"] > div')?.innerHTML === wanted, made);
    }
    expect(await page().evaluate("window.hit")).toBeUndefined();
    await page().getByLabel("Content").fill("**Wrap up**\n\n- a coat\n- a hat");
  });

  test("without a connection it says so, keeps what is typed, and saves it by itself afterwards", async () => {
    await page().context().setOffline(true);
    await page().getByLabel("Author").fill("Jo Airey");
    await page().getByText("Not saved: there is no connection.").waitFor();
    await page().context().setOffline(false);
    await page().getByText("Not saved: there is no connection.").waitFor({ state: "detached" });
    await page()
      .getByText(/^Saved at/)
      .waitFor();
    expect(await stored(page(), "title=eq.Winter dates", "author")).toEqual([{ author: "Jo Airey" }]);
  });

  test("leaving for another page of the portal saves at once", async () => {
    await page().getByLabel("Content").press("ControlOrMeta+End");
    await page().keyboard.type("\n- boots");
    await page().getByRole("link", { name: "Back to Dashboard" }).click();
    await page().getByRole("heading", { name: "Admin Dashboard" }).waitFor();
    await expect
      .poll(() => stored(page(), "title=eq.Winter dates", "content"), { timeout: 10_000 })
      .toEqual([{ content: "**Wrap up**\n\n- a coat\n- a hat\n- boots" }]);
    await page().goto("/admin/blog");
    await page()
      .getByRole("row", { name: /Winter dates.*Draft/s })
      .waitFor();
  });

  test("two write one draft: the second is told what changed, and nothing is overwritten unless they say so", async () => {
    const other = await page().context().newPage();
    for (const tab of [page(), other]) {
      await tab.goto("/admin/blog");
      await tab.getByRole("button", { name: "Edit Winter dates" }).click();
    }
    await other.getByLabel("Author").fill("Rowan");
    await other.getByLabel("Content").fill("**Wrap up** warm");
    const theirs = [{ author: "Rowan", content: "**Wrap up** warm" }];
    const asStored = (): Promise<unknown> => stored(page(), "title=eq.Winter dates", "author,content");
    // On a slow machine each field may be saved for itself.
    await expect.poll(asStored, { timeout: 10_000 }).toEqual(theirs);
    await page().bringToFront();
    await page().getByLabel("Content").press("ControlOrMeta+End");
    await page().keyboard.type("\n- a map");
    await page().getByText("Somebody else changed this blog post while you were editing it. Author: Jo Airey → Rowan;").waitFor();
    // What was not touched here is theirs now, what was typed stays.
    expect(await page().getByLabel("Author").inputValue()).toBe("Rowan");
    expect(await page().getByLabel("Content").inputValue()).toMatch(/- a map$/);
    await page().keyboard.type("\n- a torch");
    await page().waitForTimeout(2500);
    expect(await asStored()).toEqual(theirs);
    expect(await violations(page())).toEqual([]);
    await page().getByRole("button", { name: "Save Draft" }).click();
    await page()
      .getByText(/^Saved at/)
      .waitFor();
    expect(await asStored()).toEqual([{ author: "Rowan", content: "**Wrap up**\n\n- a coat\n- a hat\n- boots\n- a map\n- a torch" }]);
    await other.close();
  });

  test("an address that is taken says so; one's own stays when the title changes", async () => {
    await page().getByLabel("Address").fill("why-a-first-aid-certificate-runs-out-after-three-years");
    await page().getByText("Another post has this address. Choose another.").waitFor();
    await page().getByRole("button", { name: "Publish Post" }).click();
    await page().waitForFunction(() => document.activeElement?.getAttribute("name") === "slug");
    await page().getByLabel("Address").fill("Cold Days!");
    await page().getByLabel("Title").fill("Dates in winter");
    expect(await page().getByLabel("Address").inputValue()).toBe("cold-days");
  });

  test("a post is scheduled: visitors see nothing of it, and an edit keeps its time", async () => {
    await page().getByLabel("Publish", { exact: true }).selectOption("Later, by itself");
    await page().getByLabel("Date and time").fill("2020-07-07T09:00");
    await page().getByRole("button", { name: "Publish Post" }).click();
    await page().getByText("Choose a date and time to come, or publish now.").waitFor();
    await page().getByLabel("Date and time").fill("2031-07-07T09:00");
    await page().getByRole("button", { name: "Publish Post" }).click();
    await page().getByText("Blog post scheduled. It appears on Monday 7 July 2031 at 09:00.").waitFor();
    expect(await seenByVisitors(page(), "cold-days")).toEqual([]);
    await page()
      .getByRole("row", { name: /Dates in winter.*Scheduled: 7 Jul 2031, 09:00/s })
      .waitFor();
    await page().getByRole("button", { name: "Edit Dates in winter" }).click();
    expect(await page().getByLabel("Date and time").inputValue()).toBe("2031-07-07T09:00");
    await page().getByLabel("Author").fill("Jo");
    await page().getByRole("button", { name: "Save Post" }).click();
    await page().getByText("Blog post saved successfully!").waitFor();
    expect(await stored(page(), "slug=eq.cold-days", "published_at,author")).toEqual([
      { published_at: "2031-07-07T08:00:00+00:00", author: "Jo" },
    ]);
  });

  test("when its time comes it is there, though nobody writes and every page was kept", async () => {
    const due = Date.now() + DUE_MS;
    await write(page(), "slug=eq.cold-days", { published_at: new Date(due).toISOString() });
    expect(await seenByVisitors(page(), "cold-days")).toEqual([]);
    await expect.poll(() => seenByVisitors(page(), "cold-days"), { timeout: 4 * DUE_MS, interval: 500 }).toEqual(PLACES);
    expect(Date.now()).toBeGreaterThanOrEqual(due);
  }, 40_000);

  test("what is published is edited under its address, and taken down it is a draft again", async () => {
    await page().goto("/admin/blog");
    await page().getByRole("button", { name: "Edit Dates in winter" }).click();
    await page().getByText("The address stays /blog/cold-days").waitFor();
    expect(await page().getByLabel("Address").count()).toBe(0);
    expect(await page().getByRole("button", { name: "Save Draft" }).count()).toBe(0);
    await page().getByRole("button", { name: "Cancel", exact: true }).click();
    await page().getByRole("button", { name: "Take Down Dates in winter" }).click();
    await page().getByRole("dialog").getByRole("button", { name: "Take Down" }).click();
    await page().getByText("Blog post is a draft again. Visitors do not see it.").waitFor();
    expect(await seenByVisitors(page(), "cold-days")).toEqual([]);
    await page().getByRole("button", { name: "Edit Dates in winter" }).click();
    await page().getByLabel("Address").fill("warm-days");
    await page().getByRole("button", { name: "Publish Post" }).click();
    await page().getByText("Blog post added successfully!").waitFor();
    expect(await seenByVisitors(page(), "warm-days")).toEqual(PLACES);
  });

  test("the public page has the preview's HTML", async () => {
    await page().getByRole("button", { name: "Edit Dates in winter" }).click();
    await preview(page()).getByRole("listitem").first().waitFor();
    const shown = await preview(page()).locator("> div").innerHTML();
    await page().getByRole("button", { name: "Cancel", exact: true }).click();
    const visitor = await page().context().newPage();
    await visitor.goto("/blog/warm-days");
    expect(await visitor.locator("article > div").last().innerHTML()).toBe(shown);
    await visitor.close();
  });

  test("who publishes at once makes one post, whatever was saving meanwhile", async () => {
    for (const pause of [0, 1400, 1600]) {
      await page().getByRole("button", { name: "New Post" }).click();
      await page().getByLabel("Title").fill("Quick news");
      await page().getByLabel("Author").fill("Jo");
      await page().getByLabel("Content").fill("Short.");
      await page().waitForTimeout(pause);
      await page().getByRole("button", { name: "Publish" }).click();
      await page().getByText("Blog post added successfully!").waitFor();
    }
    await page().waitForTimeout(2000);
    expect(await stored(page(), "title=eq.Quick news&order=slug&published_at=not.is.null", "slug")).toEqual([
      { slug: "quick-news" },
      { slug: "quick-news-2" },
      { slug: "quick-news-3" },
    ]);
    expect(await stored(page(), "title=eq.Quick news&published_at=is.null", "slug")).toEqual([]);
    await page().reload();
    await page()
      .getByRole("row", { name: /Quick news/ })
      .first()
      .waitFor();
    expect(await page().getByLabel("Content").count()).toBe(0);
  });

  testScreen("the editor", page, async (shown) => {
    await shown.goto("/admin/blog");
    await shown.getByRole("button", { name: "Edit What to pack" }).first().click();
    await preview(shown).getByRole("listitem").first().waitFor();
  });
});

const PLACES = ["/blog", "/blog/rss.xml", "/sitemap.xml", "page"];

/** Where a post is found by whoever is not signed in. */
async function seenByVisitors(page: Page, slug: string): Promise<string[]> {
  const { origin } = new URL(page.url());
  const listed = await Promise.all(
    PLACES.slice(0, 3).map(async (path) => ((await (await fetch(origin + path)).text()).includes(`/blog/${slug}`) ? path : [])),
  );
  const { status } = await fetch(`${origin}/blog/${slug}`);
  return [...listed.flat(), ...(status === 200 ? ["page"] : [])];
}

/** What the service says of posts to the staff signed in. */
function stored(page: Page, query: string, select: string): Promise<unknown> {
  return ask(page, `/rest/v1/blog_posts?${query}&select=${select}`, { method: "GET" });
}

function write(page: Page, query: string, values: object): Promise<unknown> {
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

function preview(page: Page) {
  return page.getByRole("region", { name: "Preview" });
}

async function keyPath(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Presses Tab until the field of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 15; presses += 1) {
    if ((await page.evaluate(() => document.activeElement?.getAttribute("name"))) === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${name}`);
}

function activeName(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.textContent);
}
