import type { SupabaseClient } from "@supabase/supabase-js";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { invitedColleague } from "../../support/colleague.ts";
import { renderLate } from "../../support/late-rendering.ts";
import { clientOf, continueUnsaved, focused, openPortal, visit } from "../../support/portal.ts";
import { preferMarkdown } from "../../support/posts.ts";

const CHANGED = "Somebody else changed this blog post while you were editing it.";
const CHANGED_SINCE = "This post was changed after you typed this.";

describe("the text of a draft that a colleague changed meanwhile", () => {
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

  const contentOf = async (title: string): Promise<unknown> =>
    (await staff.from("blog_posts").select("content").eq("title", title).throwOnError()).data;
  const changeTo = (title: string, content: string) => colleague.from("blog_posts").update({ content }).eq("title", title).throwOnError();

  /** Opens a draft by its button and types into its content. */
  async function edit(page: Page, title: string): Promise<void> {
    await staff.from("blog_posts").insert({ title, author: "Jo", content: "Take a hat.", published_at: null }).throwOnError();
    await visit(page, "/admin/blog");
    await page.getByRole("button", { name: `Edit ${title}` }).press("Enter");
    await focused(page, "title");
  }

  /** Types at the end of the content. */
  async function type(page: Page, text: string): Promise<void> {
    await page.getByLabel("Content").press("ControlOrMeta+End");
    await page.keyboard.type(text);
  }

  test("is discarded by Escape only after a question, and by Cancel, which can be undone", async () => {
    const page = portal();
    await edit(page, "Hats");
    await changeTo("Hats", "Take boots.");
    await type(page, " And a map.");
    await renderLate(page, async () => {
      await page.getByText(CHANGED).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog", { name: "Discard blog post for Hats?" }).waitFor();
    });
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
    await page.getByText("Discarded: blog post for Hats.").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText(CHANGED).waitFor();
    expect(await page.getByLabel("Content").inputValue()).toBe("Take a hat. And a map.");
    await hide(page);
    expect(await contentOf("Hats")).toEqual([{ content: "Take boots." }]);
    await page.getByRole("button", { name: "Save draft" }).press("Enter");
    await expect.poll(() => contentOf("Hats")).toEqual([{ content: "Take a hat. And a map." }]);
    await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
    await page.getByRole("button", { name: "New post" }).waitFor();
    expect(await page.getByText("Discarded").count()).toBe(0);
  });

  test("is offered at once if the change is found while the form closes", async () => {
    const page = portal();
    await edit(page, "Boots");
    await changeTo("Boots", "Take shoes.");
    await type(page, " And a map.");
    // The form closes before the pause after which the draft is saved.
    await page.keyboard.press("Escape");
    await page.getByText("Continue blog post for Boots?").waitFor();
    await page.getByRole("button", { name: "Continue", exact: true }).press("Enter");
    await page.getByText(CHANGED_SINCE).waitFor();
    expect(await page.getByLabel("Content").inputValue()).toBe("Take a hat. And a map.");
    await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
    await page.getByText("Discarded: blog post for Boots.").waitFor();
  });

  test("is compared with the version that was saved last when Cancel is undone", async () => {
    const page = portal();
    await edit(page, "Caps");
    await type(page, " And a map.");
    await expect.poll(() => contentOf("Caps")).toEqual([{ content: "Take a hat. And a map." }]);
    await changeTo("Caps", "Take a hat. And a map. And boots.");
    await type(page, " And a torch.");
    const conflict = page.getByText(CHANGED);
    await conflict.waitFor();
    const message = await conflict.innerText();
    await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
    await page.getByText("Discarded: blog post for Caps.").waitFor();
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    await page.getByRole("form", { name: "Change Caps" }).getByRole("alert").waitFor();
    expect(await page.getByRole("form").getByRole("alert").innerText()).toBe(message);
    await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
    await page.getByText("Discarded: blog post for Caps.").waitFor();
  });

  test("overwrites nothing when it is continued after a visit of another page", async () => {
    const page = portal();
    await edit(page, "Scarves");
    await changeTo("Scarves", "Take boots.");
    await type(page, " And a map.");
    await page.getByText(CHANGED).waitFor();
    await type(page, " And a torch.");
    await visit(page, "/admin/profile");
    await visit(page, "/admin/blog");
    await continueUnsaved(page);
    await page.getByText(CHANGED_SINCE).waitFor();
    expect(await page.getByLabel("Content").inputValue()).toBe("Take a hat. And a map. And a torch.");
    await hide(page);
    expect(await contentOf("Scarves")).toEqual([{ content: "Take boots." }]);
    await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
    await page.getByText("Discarded: blog post for Scarves.").waitFor();
  });

  test.each([
    ["", "Gloves", (_: Page, work: () => Promise<void>) => work()],
    [", also when React renders its first save late", "Mittens", renderLate],
  ])("can be continued after Cancel if the draft was new%s", async (_, title, around) => {
    const page = portal();
    await visit(page, "/admin/blog");
    await page.getByRole("button", { name: "New post" }).press("Enter");
    await page.getByLabel("Title").fill(title);
    await focused(page, "title");
    await around(page, async () => {
      await type(page, "Take gloves.");
      await expect.poll(() => contentOf(title)).toEqual([{ content: "Take gloves." }]);
      await changeTo(title, "Take mittens.");
      await type(page, " And a map.");
    });
    await page.getByText(CHANGED).waitFor();
    await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
    await page.getByText(`Continue blog post for ${title}?`).waitFor();
    await page.getByRole("button", { name: "Continue", exact: true }).press("Enter");
    await page.getByText(CHANGED_SINCE).waitFor();
    expect(await page.getByLabel("Content").inputValue()).toBe("Take gloves. And a map.");
    await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
    await page.getByText(`Discarded: blog post for ${title}.`).waitFor();
  });

  test("becomes a new draft when it is continued after Cancel or a reload, if the draft was deleted", async () => {
    const page = portal();
    for (const title of ["Socks", "Flasks"]) {
      await edit(page, title);
      await colleague.from("blog_posts").delete().eq("title", title).throwOnError();
      await type(page, " And a map.");
      await page.getByText("This blog post was deleted by somebody else. Your input is still here.").waitFor();
      if (title === "Socks") {
        await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
        await page.getByText("Continue blog post for Socks?").waitFor();
      } else await page.reload();
      await continueUnsaved(page);
      await expect.poll(() => contentOf(title)).toEqual([{ content: "Take a hat. And a map." }]);
      await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
      await page.getByRole("button", { name: "New post" }).waitFor();
    }
  });
});

/** Hides the tab, which saves what may be saved. */
async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    Object.defineProperty(document, "hidden", { value: false, configurable: true });
  });
}
