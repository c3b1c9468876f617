import type { SupabaseClient } from "@supabase/supabase-js";
import type { Page, Route } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { invitedColleague } from "../../support/colleague.ts";
import { clientOf, focused, openPortal, visit } from "../../support/portal.ts";
import { preferMarkdown } from "../../support/posts.ts";
import { refuseRequests } from "../../support/refuse-requests.ts";

const POSTS = /\/rest\/v1\/blog_posts\b/;
/** The delay of a slow response. */
const SLOW_MS = 2000;
const CHANGED_SINCE = "This post was changed after you typed this.";

describe("the text of a post whose last save is still under way after its form was closed", () => {
  const portal = openPortal();
  let staff: SupabaseClient;
  let colleague: SupabaseClient;
  beforeAll(async () => {
    staff = await clientOf(portal());
    colleague = await invitedColleague(portal(), staff);
    await preferMarkdown(portal());
    // The editor asks for confirmation before unsaved text is left.
    portal().on("dialog", (dialog) => void dialog.accept());
  });

  const add = (title: string, published_at: string | null = null) =>
    staff
      .from("blog_posts")
      .insert({ title, author: "Jo", content: "Take a hat.", published_at, slug: published_at && "shoes" })
      .throwOnError();
  const contentOf = async (title: string): Promise<unknown> =>
    (await staff.from("blog_posts").select("content").eq("title", title).throwOnError()).data;
  const changeTo = (title: string, content: string) => colleague.from("blog_posts").update({ content }).eq("title", title).throwOnError();
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).press("Enter");

  async function open(page: Page, title: string): Promise<void> {
    await press(page, `Edit ${title}`);
    await page.getByRole("form", { name: `Change ${title}` }).waitFor();
    await focused(page, "title");
  }

  /** Types at the end of the content. */
  async function type(page: Page, text: string): Promise<void> {
    await page.getByLabel("Content").press("ControlOrMeta+End");
    await page.keyboard.type(text);
  }

  test.each([
    ["a draft", null],
    ["a published post", "2026-01-05T09:00:00Z"],
  ])("and the text of %s that is opened meanwhile are both kept if a colleague changed the first post", async (_, published_at) => {
    const page = portal();
    const [first, second] = published_at === null ? (["Hats", "Boots"] as const) : (["Caps", "Shoes"] as const);
    await add(first);
    await add(second, published_at);
    await visit(page, "/admin/blog");
    await page.getByRole("button", { name: `Edit ${first}` }).waitFor();
    const release = await holdWrites(page);
    await open(page, first);
    await changeTo(first, "Take nothing.");
    await type(page, " And a map.");
    await open(page, second);
    await type(page, " And a torch.");
    release();
    await page.getByText(`Continue blog post for ${first}?`).waitFor();
    await page.keyboard.type(" Or two.");
    expect(await page.getByLabel("Content").inputValue()).toBe("Take a hat. And a torch. Or two.");
    await press(page, "Continue");
    await page.getByText(CHANGED_SINCE).waitFor();
    expect(await page.getByLabel("Content").inputValue()).toBe("Take a hat. And a map.");
    if (published_at === null) await expect.poll(() => contentOf(second)).toEqual([{ content: "Take a hat. And a torch. Or two." }]);
    else {
      await page.getByText(`Discarded: blog post for ${second}.`).waitFor();
      await press(page, "Undo");
      await expect.poll(() => page.getByLabel("Content").inputValue()).toBe("Take a hat. And a torch. Or two.");
      await page.getByText(`Discarded: blog post for ${first}.`).waitFor();
    }
    await press(page, "Cancel");
    expect(await contentOf(first)).toEqual([{ content: "Take nothing." }]);
  });

  test("is kept beside that of a new post if both were new and the first cannot be saved", async () => {
    const page = portal();
    await visit(page, "/admin/blog");
    const release = await holdWrites(page, (route) => route.abort());
    for (const title of ["Scarves", "Gloves"]) {
      await press(page, "New post");
      await focused(page, "title");
      await page.keyboard.type(title);
      if (title === "Scarves") await press(page, "Cancel");
    }
    release();
    await page.getByText("Continue blog post for Scarves?").waitFor();
    await page.keyboard.type(" and mittens");
    await page.unroute(POSTS);
    await press(page, "Cancel");
    await expect.poll(() => contentOf("Gloves and mittens")).toEqual([{ content: "" }]);
    await press(page, "Continue");
    await expect.poll(() => page.getByLabel("Title").inputValue()).toBe("Scarves");
    await expect.poll(() => contentOf("Scarves")).toEqual([{ content: "" }]);
    await press(page, "Cancel");
  });

  test("is in the post that is opened again at once", async () => {
    const page = portal();
    await add("Flasks");
    await visit(page, "/admin/blog");
    await page.getByRole("button", { name: "Edit Flasks" }).waitFor();
    const release = await holdWrites(page);
    await open(page, "Flasks");
    await type(page, " And a map.");
    await press(page, "Cancel");
    setTimeout(release, SLOW_MS);
    await open(page, "Flasks");
    await type(page, " And a torch.");
    expect(await page.getByLabel("Content").inputValue()).toBe("Take a hat. And a map. And a torch.");
    await expect.poll(() => contentOf("Flasks")).toEqual([{ content: "Take a hat. And a map. And a torch." }]);
    await press(page, "Cancel");
  });

  test("is offered on the page that is visited meanwhile, which keeps the focus", async () => {
    const page = portal();
    await add("Torches");
    await visit(page, "/admin/blog");
    await page.getByRole("button", { name: "Edit Torches" }).waitFor();
    const release = await holdWrites(page);
    await open(page, "Torches");
    await changeTo("Torches", "Take nothing.");
    await type(page, " And a map.");
    await visit(page, "/admin/bookings");
    await press(page, "New booking");
    await focused(page, "name");
    await page.keyboard.type("zeb");
    release();
    await page.getByRole("status").getByText("Not saved: blog post for Torches. Your text is kept in this tab.").waitFor();
    await page.keyboard.type("ra");
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("zebra");
    await press(page, "Cancel");
    await visit(page, "/admin/profile");
    await page.getByRole("link", { name: "Continue" }).press("Enter");
    await page.getByText(CHANGED_SINCE).waitFor();
    expect(await page.getByLabel("Content").inputValue()).toBe("Take a hat. And a map.");
    await focused(page, "title");
    await press(page, "Cancel");
    await page.getByText("Discarded: blog post for Torches.").waitFor();
    await visit(page, "/admin/profile");
    expect(await page.getByText("Not saved").count()).toBe(0);
  });

  test("is offered at the next visit until it is saved", async () => {
    const page = portal();
    await add("Ropes");
    await visit(page, "/admin/blog");
    await open(page, "Ropes");
    const release = await holdWrites(page);
    await type(page, " And a map.");
    await visit(page, "/admin/profile");
    await visit(page, "/admin/blog");
    await page.getByText("Continue blog post for Ropes?").waitFor();
    release();
    await expect.poll(() => contentOf("Ropes")).toEqual([{ content: "Take a hat. And a map." }]);
    await page.getByText("Continue blog post for Ropes?").waitFor({ state: "detached" });
  });

  test("is not offered if it was saved, also if the draft was new", async () => {
    const page = portal();
    await visit(page, "/admin/blog");
    await press(page, "New post");
    await focused(page, "title");
    await page.keyboard.type("Maps");
    await expect.poll(() => contentOf("Maps")).toEqual([{ content: "" }]);
    await type(page, "Take a map.");
    await press(page, "Cancel");
    await expect.poll(() => contentOf("Maps")).toEqual([{ content: "Take a map." }]);
    await page.getByRole("row", { name: /Maps/ }).waitFor();
    expect(await page.getByText("Continue").count()).toBe(0);
  });
});

/** Holds back the writes of posts until the returned function is called, which then lets them pass or answers them. */
async function holdWrites(page: Page, answer: (route: Route) => Promise<void> = (route) => route.continue()): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await refuseRequests(page, POSTS, "/rest/v1/blog_posts?probe", async (route) => {
    if (route.request().method() !== "GET") await promise;
    await answer(route);
  });
  return resolve;
}
