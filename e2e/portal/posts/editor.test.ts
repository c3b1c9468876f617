import type { Page, Route } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { renderMarkdown } from "../../../site/app/posts/markdown.ts";
import { noise } from "../../../backend/test/wire/picture-fixture.ts";
import { violations } from "../../support/axe.ts";
import { beginPost, choosePicture, closePictures, openPictures, pictures, upload, uploaded } from "../../support/pictures.ts";
import { continueUnsaved, focused, openPortal, testScreen, visit } from "../../support/portal.ts";
import { preferMarkdown, preview, seenByVisitors, storedPosts, writePosts } from "../../support/posts.ts";

const UPLOADS = "**/storage/v1/object/post-images/**";

/** Texts that the preview must show as the page does: all of Markdown, and attempts to inject HTML. */
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

describe("the blog editor", () => {
  const page = openPortal();
  beforeAll(() => preferMarkdown(page()));

  test("a draft is written by keyboard alone, with autosave", async () => {
    const { keyboard } = page();
    await visit(page(), "/admin/blog");
    await page().getByRole("button", { name: "New post" }).focus();
    await keyboard.press("Enter");
    await page().getByLabel("Title").waitFor();
    await tabTo(page(), "title");
    await keyboard.type("Winter dates");
    await tabTo(page(), "author");
    await keyboard.type("Jo");
    await tabTo(page(), "slug");
    await expect.poll(() => page().getByLabel("Address").inputValue()).toBe("winter-dates");
    await tabTo(page(), "content");
    await keyboard.press("ControlOrMeta+B");
    await keyboard.type("Wrap up");
    await keyboard.press("ControlOrMeta+B");
    await keyboard.type("\n\n- a coat");
    await keyboard.press("ControlOrMeta+Shift+Digit8");
    await keyboard.press("ControlOrMeta+Shift+Digit8");
    await expect.poll(() => page().getByLabel("Content").inputValue()).toBe("**Wrap up**\n\n- a coat");
    await preview(page()).getByRole("listitem").getByText("a coat").waitFor();
    await page()
      .getByText(/^Saved at \d\d:\d\d$/)
      .waitFor();
  });

  test("the toolbar is one Tab stop, and its changes can be undone", async () => {
    const text = page().getByLabel("Content");
    await text.selectText();
    await keyPath(page(), "Shift+Tab");
    await expect.poll(() => activeName(page())).toBe("Bold");
    await keyPath(page(), "ArrowRight", "ArrowRight", "ArrowRight");
    await expect.poll(() => activeName(page())).toBe("Heading");
    await keyPath(page(), "Home", "ArrowLeft");
    await expect.poll(() => activeName(page())).toBe("List");
    await keyPath(page(), "Tab");
    await focused(page(), "content");
    const before = await text.inputValue();
    await text.press("ControlOrMeta+Shift+Digit2");
    await expect.poll(() => text.inputValue()).not.toBe(before);
    await text.press("ControlOrMeta+Z");
    await expect.poll(() => text.inputValue()).toBe(before);
  });

  test("typed text is restored after a reload, saved or not", async () => {
    await page().getByLabel("Content").press("ControlOrMeta+End");
    await page().keyboard.type("\na hat");
    await page().reload();
    await continueUnsaved(page());
    await page().waitForFunction(() => document.querySelector("textarea")?.value.endsWith("- a hat"));
    await expect.poll(() => page().getByLabel("Title").inputValue()).toBe("Winter dates");
    await page().waitForFunction(() => !Object.values(sessionStorage).some((kept) => String(kept).includes("a hat")));
    await page().reload();
    await page().getByRole("button", { name: "Edit Winter dates" }).click();
    await page().waitForFunction(() => document.querySelector("textarea")?.value.endsWith("- a hat"));
    expect(await page().getByText("Your unsaved input was restored.").count()).toBe(0);
  });

  test("visitors do not see a draft", async () => {
    expect(await seenByVisitors(page(), "winter-dates")).toEqual([]);
  });

  test("the preview has the same HTML as the page for every text, and no script in it runs", async () => {
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

  test("without a connection the editor shows a message, keeps the text and saves it later", async () => {
    await page().context().setOffline(true);
    await page().getByLabel("Author").fill("Jo Airey");
    await page().getByText("Not saved: there is no connection.").waitFor();
    await page().context().setOffline(false);
    await page().getByText("Not saved: there is no connection.").waitFor({ state: "detached" });
    await expect.poll(() => storedPosts(page(), "title=eq.Winter dates", "author")).toEqual([{ author: "Jo Airey" }]);
  });

  test("a link to another page of the portal saves at once", async () => {
    await page().getByLabel("Content").press("ControlOrMeta+End");
    await page().keyboard.type("\nboots");
    await page().getByRole("link", { name: "Back to Dashboard" }).click();
    await page().getByRole("heading", { name: "Admin Dashboard" }).waitFor();
    await expect
      .poll(() => storedPosts(page(), "title=eq.Winter dates", "content"))
      .toEqual([{ content: "**Wrap up**\n\n- a coat\n- a hat\n- boots" }]);
    await visit(page(), "/admin/blog");
    await page()
      .getByRole("row", { name: /Winter dates.*Draft/s })
      .waitFor();
  });

  test("the second of two people who edit a draft sees both versions and overwrites nothing without confirmation", async () => {
    await page().getByRole("button", { name: "Edit Winter dates" }).click();
    await focused(page(), "title");
    const theirs = { author: "Rowan", content: "**Wrap up** warm" };
    await writePosts(page(), "title=eq.Winter dates", theirs);
    const asStored = (): Promise<unknown> => storedPosts(page(), "title=eq.Winter dates", "author,content");
    await page().getByLabel("Content").press("ControlOrMeta+End");
    await page().keyboard.type("\na map");
    await page().getByText("Somebody else changed this blog post while you were editing it. Author: Jo Airey, now Rowan;").waitFor();
    // Fields that were not edited here show the other version; typed text stays.
    await expect.poll(() => page().getByLabel("Author").inputValue()).toBe("Rowan");
    expect(await page().getByLabel("Content").inputValue()).toMatch(/- a map$/);
    // Leaving the tab saves at once unless there is a conflict.
    await page().keyboard.type("\na torch");
    await page().evaluate(() => {
      Object.defineProperty(document, "hidden", { value: true, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    expect(await asStored()).toEqual([theirs]);
    expect(await violations(page())).toEqual([]);
    await page().getByRole("button", { name: "Save draft" }).click();
    await expect.poll(asStored).toEqual([{ author: "Rowan", content: "**Wrap up**\n\n- a coat\n- a hat\n- boots\n- a map\n- a torch" }]);
  });

  testScreen("the editor", page, async (shown) => {
    await visit(shown, "/admin/blog");
    await shown.getByRole("button", { name: "Edit What to pack" }).first().click();
    await preview(shown).getByRole("listitem").first().waitFor();
  });

  describe("uploads", () => testUploads(page));
});

function testUploads(portal: () => Page): void {
  beforeAll(() => beginPost(portal(), "A day of bandages"));

  test.each(["drop", "paste"] as const)("a %s onto the text opens the picture dialog with the file", async (event) => {
    const page = portal();
    await pasteOrDrop(page, event, `${event}ped.png`, await noise("png", 900, 600));
    await uploaded(page, `${event}ped.png`);
    await upload(page, `${event}ped.png`).getByLabel("What does it show?").fill(`A ${event}`);
    await pictures(page)
      .getByRole("button", { name: `Insert into the text: ${event}ped.png` })
      .click();
    await pictures(page).waitFor({ state: "hidden" });
    await expect
      .poll(() => page.getByLabel("Content").inputValue())
      .toContain(`![A ${event}](/storage/v1/object/public/post-images/${event}ped-`);
    await openPictures(page);
    await pictures(page)
      .getByRole("button", { name: `Dismiss ${event}ped.png` })
      .click();
    await upload(page, `${event}ped.png`).waitFor({ state: "detached" });
    await closePictures(page);
  });

  test("text pasted together with an image of it is inserted as text", async () => {
    const page = portal();
    const taken = await page.getByLabel("Content").evaluate((area) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(["likeness"], "table.png", { type: "image/png" }));
      clipboardData.setData("text/plain", "Monday\t9:00");
      return !area.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData }));
    });
    expect([taken, await pictures(page).isVisible()]).toEqual([false, false]);
  });

  test("a cancelled upload stores nothing", async () => {
    const page = portal();
    const cancelled = Promise.withResolvers<void>();
    await page.route(UPLOADS, async (route) => {
      await cancelled.promise;
      await route.continue().catch(() => undefined);
    });
    await openPictures(page);
    await choosePicture(page, "cancelled.jpg", await noise("jpeg", 900, 600));
    await pictures(page).getByRole("progressbar", { name: "Upload of cancelled.jpg" }).waitFor();
    const cleared = page.waitForResponse(
      (response) => response.request().method() === "DELETE" && response.url().endsWith("/object/post-images"),
    );
    await pictures(page).getByRole("button", { name: "Cancel cancelled.jpg" }).click();
    await upload(page, "cancelled.jpg").waitFor({ state: "detached" });
    cancelled.resolve();
    await closePictures(page);
    await cleared;
    // Not earlier: a request that is sent while the last route of a page is removed may never be answered.
    await page.unroute(UPLOADS);
    await openPictures(page);
    await pictures(page)
      .getByRole("button", { name: /^Use dropped/ })
      .waitFor();
    expect(await pictures(page).getByText("cancelled").count()).toBe(0);
  });

  test("an upload continues after the connection was lost", async () => {
    const page = portal();
    const cut = (route: Route): Promise<void> => route.abort("internetdisconnected");
    await page.route(UPLOADS, cut);
    await choosePicture(page, "cut.jpg", await noise("jpeg", 900, 600));
    await pictures(page).getByText("The connection failed.").waitFor();
    expect(await pictures(page).getByRole("button", { name: "Insert into the text: cut.jpg" }).isDisabled()).toBe(true);
    expect(await violations(page)).toEqual([]);
    await page.unroute(UPLOADS, cut);
    await pictures(page).getByRole("button", { name: "Try again" }).press("Enter");
    await page.locator("li:focus", { hasText: "cut.jpg" }).waitFor();
    await uploaded(page, "cut.jpg");
    await pictures(page).getByRole("button", { name: "Set as cover image: cut.jpg" }).click();
    // The dialog closes before the picture is inserted.
    await expect.poll(() => page.getByLabel("Image URL").inputValue()).toContain("/storage/v1/object/public/post-images/cut-");
  });

  test("a file that is not a picture is refused with a message", async () => {
    const page = portal();
    await openPictures(page);
    await choosePicture(page, "letter.jpg", new TextEncoder().encode("not a picture"));
    await pictures(page).getByText("letter.jpg cannot be opened as a picture here.").waitFor();
    await pictures(page).getByRole("button", { name: "Dismiss letter.jpg" }).press("Enter");
    await upload(page, "letter.jpg").waitFor({ state: "detached" });
    await pictures(page).getByLabel("Choose pictures, or drop them here").and(page.locator(":focus")).waitFor();
    await closePictures(page);
  });

  testScreen("the picture dialog of the editor", portal, async (page) => {
    if (!(await pictures(page).isVisible())) await openPictures(page);
    await pictures(page)
      .getByRole("button", { name: /^Use dropped/ })
      .waitFor();
  });
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
  return page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
}

/** Pastes or drops files onto the text area. */
async function pasteOrDrop(page: Page, event: "paste" | "drop", name: string, picture: Uint8Array): Promise<void> {
  await page.getByLabel("Content").evaluate(
    (area, { event: type, name: fileName, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], fileName, { type: "image/png" }));
      const options = { bubbles: true, cancelable: true };
      area.dispatchEvent(
        type === "paste"
          ? new ClipboardEvent("paste", { ...options, clipboardData: data })
          : new DragEvent("drop", { ...options, dataTransfer: data }),
      );
    },
    { event, name, base64: Buffer.from(picture).toString("base64") },
  );
}
