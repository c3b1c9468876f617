import type { Route } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { violationsOfSchemes } from "../../support/axe.ts";
import { browserOf, openPage } from "../../support/browser.ts";
import { openPortal, visit } from "../../support/portal.ts";
import { follow } from "../../support/public-site.ts";
import { holdBack } from "../../support/refuse-requests.ts";
import { PAGES_WITH_POST, preferMarkdown, preview, seenByVisitors, storedPosts, writePosts } from "../../support/posts.ts";

const DUE_MS = 4000;
const POSTS = "**/rest/v1/blog_posts*";

describe("publishing a post", () => {
  const page = openPortal();
  beforeAll(async () => {
    await preferMarkdown(page());
    await visit(page(), "/admin/blog");
    await page().getByRole("button", { name: "New post" }).click();
    await page().getByLabel("Title").fill("Winter dates");
    await page().getByLabel("Author").fill("Jo Airey");
    await page().getByLabel("Content").fill("**Wrap up**\n\n- a coat\n- a hat");
  });

  test("a taken address is refused, and a chosen address stays when the title changes", async () => {
    await page().getByLabel("Address").fill("why-a-first-aid-certificate-runs-out-after-three-years");
    await page().getByText("Another post has this address. Choose another.").waitFor();
    await page().getByRole("button", { name: "Publish post" }).click();
    await page().waitForFunction(() => document.activeElement?.getAttribute("name") === "slug");
    await page().getByLabel("Address").fill("Cold Days!");
    await page().getByLabel("Title").fill("Dates in winter");
    await expect.poll(() => page().getByLabel("Address").inputValue()).toBe("cold-days");
  });

  test("a scheduled post is hidden from visitors, and an edit keeps its time", async () => {
    await page().getByLabel("Publish", { exact: true }).selectOption("Schedule for later");
    await page().getByLabel("Date and time").fill("2020-07-07T09:00");
    await page().getByRole("button", { name: "Schedule post" }).click();
    await page().getByText("Choose a date and time in the future, or publish now.").waitFor();
    await page().getByLabel("Date and time").fill("2031-07-07T09:00");
    await page().getByRole("button", { name: "Schedule post" }).click();
    await page().getByText("Blog post scheduled. It appears on Monday 7 July 2031 at 09:00.").waitFor();
    expect(await seenByVisitors(page(), "cold-days")).toEqual([]);
    await page()
      .getByRole("row", { name: /Dates in winter.*Scheduled 7 Jul 2031, 09:00/s })
      .waitFor();
    await page().getByRole("button", { name: "Edit Dates in winter" }).click();
    await expect.poll(() => page().getByLabel("Date and time").inputValue()).toBe("2031-07-07T09:00");
    await page().getByLabel("Author").fill("Jo");
    await page().getByRole("button", { name: "Save post" }).click();
    await page().getByText("Blog post saved successfully!").waitFor();
    expect(await storedPosts(page(), "slug=eq.cold-days", "published_at,author")).toEqual([
      { published_at: "2031-07-07T08:00:00+00:00", author: "Jo" },
    ]);
  });

  test("a post that is loaded late does not replace a form that was opened meanwhile", async () => {
    const load = await holdBack(page(), "blog_posts?select=*&id=eq.");
    await page().getByRole("button", { name: "Edit Dates in winter" }).click();
    await page().getByRole("button", { name: "New post" }).click();
    await page().getByLabel("Title").fill("Snow");
    const answer = page().waitForResponse(/blog_posts\?select=\*&id=eq\./);
    load();
    await (await answer).finished();
    // Waits two frames, in which React would show the other form.
    await page().evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await page().getByLabel("Title").inputValue()).toBe("Snow");
    await page().getByLabel("Title").fill("");
    await page().getByRole("button", { name: "Cancel" }).click();
  });

  test("the buttons of a post stay where they are while the preview links are loaded", async () => {
    const links = "**/rest/v1/rpc/shared_posts*";
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page().route(links, async (route) => {
      await released;
      await route.continue();
    });
    await page().reload();
    const edit = page().getByRole("button", { name: "Edit Dates in winter" });
    await edit.waitFor();
    const place = await edit.boundingBox();
    const made: string[] = [];
    page().on("request", (request) => void (request.url().endsWith("/share_post") && made.push(request.url())));
    await page().getByRole("button", { name: "Share a preview of Dates in winter" }).click();
    await page().getByRole("dialog").getByText("Please wait…").waitFor();
    await page().keyboard.press("Escape");
    const loaded = page().waitForResponse(links);
    release();
    await loaded;
    await page().unroute(links);
    await page().evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect([await edit.boundingBox(), made]).toEqual([place, []]);
  });

  test("anybody with the link opens the preview of a post that is not published, until staff stop sharing it", async () => {
    await page().context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await writePosts(page(), "slug=eq.cold-days", { image_url: "/images/blog/winter-fells.svg" });
    const share = page().getByRole("button", { name: "Share a preview of Dates in winter" });
    await share.focus();
    await page().keyboard.press("Enter");
    const dialog = page().getByRole("dialog");
    await dialog.getByText(/without an account, until/).waitFor();
    expect(await violationsOfSchemes(page())).toEqual([]);
    await dialog.getByRole("button", { name: "Copy link" }).focus();
    await page().keyboard.press("Enter");
    await dialog.getByText("Copied.").waitFor();
    const link = await page().evaluate(() => navigator.clipboard.readText());
    expect(link).toBe(await dialog.getByLabel("Link").inputValue());

    const stranger = await openPage(browserOf(page()), { baseURL: page().url(), bypassCSP: true });
    const answer = await stranger.goto(link);
    expect(await answer?.allHeaders()).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "same-origin",
      "x-robots-tag": "noindex, nofollow",
    });
    const notice = await stranger.getByRole("status").filter({ hasText: "Preview of a post that is not published" }).boundingBox();
    const heading = await stranger.getByRole("heading", { name: "Dates in winter" }).boundingBox();
    expect(heading).toMatchObject({ x: notice?.x });
    expect(heading?.y).toBeGreaterThan(notice?.y ?? Infinity);
    await stranger.waitForFunction(() => (document.querySelector<HTMLImageElement>("article img")?.naturalWidth ?? 0) > 0);
    await stranger.getByRole("listitem").filter({ hasText: "a coat" }).waitFor();
    expect(await stranger.locator('meta[name="robots"]').getAttribute("content")).toBe("noindex, nofollow");
    expect(await stranger.locator('meta[name="visit-key"], link[rel="canonical"]').count()).toBe(0);
    expect(await violationsOfSchemes(stranger)).toEqual([]);
    await follow(stranger, stranger.getByRole("button", { name: "Do not count my visits" }));
    expect(stranger.url()).toBe(link);
    await stranger.getByRole("button", { name: "Count my visits again" }).waitFor();
    await stranger.setViewportSize({ width: 320, height: 640 });
    expect(await stranger.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    expect(await seenByVisitors(page(), "cold-days")).toEqual([]);

    await page().keyboard.press("Escape");
    await page().waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Share a preview of Dates in winter");
    await page().keyboard.press("Enter");
    await dialog.getByText("The link was shown when it was made; a new link replaces it.").waitFor();
    // A key that is pressed as soon as the button has the focus again reopens the dialog.
    for (const close of [() => page().keyboard.press("Escape"), () => dialog.getByRole("button", { name: "Close" }).press("Enter")]) {
      await share.evaluate((button) =>
        button.addEventListener("focus", () => button.dispatchEvent(new MouseEvent("click", { bubbles: true })), { once: true }),
      );
      await close();
      await page().waitForFunction(() => document.activeElement?.closest("dialog") !== null);
      await page().evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    }
    await dialog.getByRole("button", { name: "Stop sharing" }).press("Enter");
    await dialog.getByText("Nobody can open the link any more.").waitFor();
    await page().keyboard.press("Escape");
    expect((await stranger.reload())?.status()).toBe(404);
    await stranger.getByRole("heading", { name: "This preview has ended" }).waitFor();
    await stranger.context().close();
  });

  test("a scheduled post appears at its time, without a write and with every page cached", async () => {
    const due = Date.now() + DUE_MS;
    await writePosts(page(), "slug=eq.cold-days", { published_at: new Date(due).toISOString() });
    const seenAt: number[] = [];
    const look = async (): Promise<string[]> => {
      const seen = await seenByVisitors(page(), "cold-days");
      if (seen.length > 0) seenAt.push(Date.now());
      return seen;
    };
    await expect.poll(look, { timeout: 10 * DUE_MS, interval: 300 }).toEqual(PAGES_WITH_POST);
    expect(seenAt[0]).toBeGreaterThanOrEqual(due);
  });

  test("a published post is edited under its address, and becomes a draft again when unpublished", async () => {
    await visit(page(), "/admin/blog");
    await page().getByRole("button", { name: "Edit Dates in winter" }).click();
    await page().getByText("The address stays /blog/cold-days").waitFor();
    expect(await page().getByLabel("Address").count()).toBe(0);
    expect(await page().getByRole("button", { name: "Save draft" }).count()).toBe(0);
    await page().getByRole("button", { name: "Cancel", exact: true }).click();
    await page().getByRole("button", { name: "Take down Dates in winter" }).click();
    await page().getByRole("dialog").getByRole("button", { name: "Take down" }).click();
    await page().getByText("Blog post is a draft again. Visitors do not see it.").waitFor();
    expect(await seenByVisitors(page(), "cold-days")).toEqual([]);
    await page().getByRole("button", { name: "Edit Dates in winter" }).click();
    await page().getByLabel("Address").fill("warm-days");
    await page().getByRole("button", { name: "Publish post" }).click();
    await page().getByText("Blog post added successfully!").waitFor();
    expect(await seenByVisitors(page(), "warm-days")).toEqual(PAGES_WITH_POST);
  });

  test("the public page has the same HTML as the preview", async () => {
    await page().getByRole("button", { name: "Edit Dates in winter" }).click();
    await preview(page()).getByRole("listitem").first().waitFor();
    const shown = await preview(page()).locator("> div").innerHTML();
    await page().getByRole("button", { name: "Cancel", exact: true }).click();
    const visitor = await page().context().newPage();
    await visitor.goto("/blog/warm-days");
    expect(await visitor.locator("article > div").last().innerHTML()).toBe(shown);
    await visitor.close();
  });

  test("a post that was just published is not scheduled on a computer whose clock is behind", async () => {
    // Uses another context, because the clock is set for a whole context.
    const behind = await openPage(browserOf(page()), { baseURL: page().url(), storageState: await page().context().storageState() });
    await behind.clock.setSystemTime(Date.now() - 3_600_000);
    await behind.goto("/admin/blog");
    await behind.getByRole("button", { name: "Edit Dates in winter" }).click();
    await behind.getByText("The address stays /blog/warm-days").waitFor();
    await behind.getByLabel("Author").fill("Jo Airey");
    await behind.getByRole("button", { name: "Save post" }).click();
    await behind.getByText("Blog post saved successfully!").waitFor();
    await behind.context().close();
  });

  test("publishing before, during and after an autosave makes one post", async () => {
    const publish = async (beforePublish: () => Promise<unknown>): Promise<void> => {
      await page().getByRole("button", { name: "New post" }).click();
      await page().getByLabel("Title").fill("Quick news");
      await page().getByLabel("Author").fill("Jo");
      await page().getByLabel("Content").fill("Short.");
      await beforePublish();
      await page().getByRole("button", { name: "Publish" }).click();
      await page().getByText("Blog post added successfully!").waitFor();
    };
    await publish(() => Promise.resolve());

    const saving = Promise.withResolvers<void>();
    const holdUntilPublished = async (route: Route): Promise<void> => {
      if (route.request().method() === "GET") return route.fallback();
      saving.resolve();
      await page().getByRole("button", { name: "Publishing..." }).waitFor();
      await route.continue();
    };
    await page().route(POSTS, holdUntilPublished);
    await publish(() => saving.promise);
    await page().unroute(POSTS, holdUntilPublished);

    await publish(() =>
      page()
        .getByText(/^Saved at/)
        .waitFor(),
    );
    expect(await storedPosts(page(), "title=eq.Quick news&order=slug&published_at=not.is.null", "slug")).toEqual([
      { slug: "quick-news" },
      { slug: "quick-news-2" },
      { slug: "quick-news-3" },
    ]);
    expect(await storedPosts(page(), "title=eq.Quick news&published_at=is.null", "slug")).toEqual([]);
    await page().reload();
    await page()
      .getByRole("row", { name: /Quick news/ })
      .first()
      .waitFor();
    expect(await page().getByLabel("Content").count()).toBe(0);
  });
});
