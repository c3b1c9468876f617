import { readFile } from "node:fs/promises";
import type { Locator } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { noise } from "../../backend/test/wire/picture-fixture.ts";
import { violations } from "../support/axe.ts";
import { choosePicture, openPictures, pictures, uploaded } from "../support/pictures.ts";
import { delayReact, LATE_MS } from "../support/late-rendering.ts";
import { continueUnsaved, openPortal, testScreen, visit } from "../support/portal.ts";
import { preview, richText, storedPosts, writePosts } from "../support/posts.ts";
import { newQuietWindow } from "../support/windows.ts";

const EDITOR = "**/assets/rich-text-*.js";

describe("rich text", () => {
  const page = openPortal();
  const markdown = (): Promise<string> => page().locator("textarea[name=content]").inputValue();
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page().keyboard.press(key);
  };
  const type = (text: string): Promise<void> => page().keyboard.type(text);
  const button = (name: string): Locator => page().getByRole("button", { name, exact: true });
  const clear = async (): Promise<void> => {
    await richText(page()).focus();
    await press("ControlOrMeta+A", "Delete");
  };
  const focusedName = (): Promise<string | null | undefined> => page().evaluate(() => document.activeElement?.getAttribute("aria-label"));
  const pressed = (): Promise<(string | null)[]> =>
    page()
      .getByRole("toolbar")
      .getByRole("button", { pressed: true })
      .evaluateAll((buttons) => buttons.map((element) => element.getAttribute("aria-label")));
  /** Pastes the clipboard contents of another program into the editor. */
  const paste = (contents: Record<string, string>): Promise<void> =>
    richText(page()).evaluate((editor, data) => {
      const clipboardData = new DataTransfer();
      for (const [kind, text] of Object.entries(data)) clipboardData.setData(kind, text);
      editor.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData }));
    }, contents);

  beforeAll(async () => {
    await visit(page(), "/admin/blog");
    await page().getByRole("button", { name: "New post" }).click();
    await page().getByLabel("Title").fill("Winter dates");
    await page().getByLabel("Author").fill("Jo");
  });

  test("is written and formatted by keyboard, stored as Markdown and shown in the preview", async () => {
    await richText(page()).focus();
    await press("ControlOrMeta+Shift+Digit2");
    await type("What to pack");
    await press("Enter");
    await type("Bring ");
    await press("ControlOrMeta+B");
    await type("warm");
    await press("ControlOrMeta+B");
    await type(" and ");
    await press("ControlOrMeta+I");
    await type("dry");
    await press("ControlOrMeta+I");
    await type(" things, 2 * 3 of <each>");
    await press("Enter", "ControlOrMeta+Shift+Digit8");
    await type("a coat");
    await press("Enter");
    await type("a hat");
    await press("Enter", "Enter");
    await type("See you");
    expect(await markdown()).toBe(
      "## What to pack\n\nBring **warm** and _dry_ things, 2 \\* 3 of \\<each>\n\n- a coat\n- a hat\n\nSee you",
    );
    await preview(page()).getByRole("listitem").getByText("a hat").waitFor();
    await preview(page()).getByText("2 * 3 of <each>").waitFor();
    await press("ControlOrMeta+Z");
    await expect.poll(markdown).not.toContain("See you");
    await press("ControlOrMeta+Y");
    await expect.poll(markdown).toContain("See you");
    await page()
      .getByText(/^Saved at \d\d:\d\d$/)
      .waitFor();
  });

  test("takes the keys as soon as it replaces the text area, also when React renders late", async () => {
    const window = await newQuietWindow(page());
    await window.addInitScript(delayReact, LATE_MS);
    await window.goto("/admin/blog");
    await window.getByRole("button", { name: "New post" }).click();
    const area = window.locator("textarea[name=content]");
    await area.focus();
    await window.getByRole("button", { name: "Markdown", exact: true }).waitFor();
    await window.keyboard.type("Wrap up");
    await expect.poll(() => area.inputValue()).toBe("Wrap up");
    await richText(window).getByText("Wrap up").waitFor();
    await window.keyboard.type(" warm");
    await expect.poll(() => area.inputValue()).toBe("Wrap up warm");
    await window.close();
  });

  test("the toolbar shows the formats at the cursor and is used with the arrow keys, and Tab leaves the text", async () => {
    await press("ControlOrMeta+Home");
    await expect.poll(pressed).toEqual(["Heading"]);
    await press("ArrowDown", "Home", "ControlOrMeta+ArrowRight", "ArrowRight", "ArrowRight");
    await expect.poll(pressed).toEqual(["Bold"]);
    await press("ControlOrMeta+End", "ArrowUp");
    await expect.poll(pressed).toEqual(["List"]);
    expect(await button("Heading").getAttribute("aria-disabled")).toBe("true");
    await button("Numbered list").click();
    await expect.poll(markdown).toContain("1. a coat\n2. a hat");
    await press("Shift+Tab");
    expect(await focusedName()).toBe("Numbered list");
    await press("ArrowLeft", "Enter");
    await expect.poll(markdown).toContain("- a coat\n- a hat");
    await press("ControlOrMeta+End", "ControlOrMeta+Shift+ArrowLeft", "ControlOrMeta+E");
    await expect.poll(markdown).toMatch(/See `you`$/);
    await button("Undo").click();
    await expect.poll(markdown).toMatch(/See you$/);
    await press("Tab");
    expect(await richText(page()).evaluate((editor) => editor === document.activeElement)).toBe(false);
  });

  test("Control+K adds a link, whose address is checked, and removes it", async () => {
    await richText(page()).focus();
    await press("ControlOrMeta+End", "ControlOrMeta+Shift+ArrowLeft", "ControlOrMeta+K");
    await type("javascript:alert(1)");
    await press("Enter");
    await page().getByText("Enter a web address such as").waitFor();
    await page().getByLabel("Link to").fill("www.hse.gov.uk/first-aid");
    expect(await violations(page())).toEqual([]);
    await press("Enter");
    await expect.poll(markdown).toMatch(/See \[you\]\(https:\/\/www\.hse\.gov\.uk\/first-aid\)$/);
    await press("ControlOrMeta+K");
    await button("Remove link").click();
    await expect.poll(markdown).toMatch(/See you$/);
    await press("ControlOrMeta+K", "Escape");
    await page().getByLabel("Link to").waitFor({ state: "detached" });
    expect(await page().getByRole("dialog").count()).toBe(0);
  });

  test("a picture is inserted at the cursor", async () => {
    await richText(page()).getByRole("heading").click();
    await expect.poll(pressed).toEqual(["Heading"]);
    await press("End");
    await openPictures(page());
    await choosePicture(page(), "coat.png", await noise("png", 90, 60), "image/png");
    await uploaded(page(), "coat.png");
    await pictures(page()).getByLabel("What does it show?").first().fill("A [warm] coat");
    await pictures(page()).getByRole("button", { name: "Insert into the text: coat.png" }).click();
    await expect
      .poll(markdown)
      .toMatch(/^## What to pack\n\n!\[A \\\[warm\\\] coat\]\(\/storage\/v1\/object\/public\/post-images\/coat-\S+-90x60\.webp\)\n\nBring/);
    await type("Now: ");
    await expect.poll(markdown).toContain(".webp)\n\nNow: Bring **warm**");
  });

  test("text from Word keeps headings, lists, bold, italics and links, and nothing else", async () => {
    await clear();
    await paste({ "text/html": await readFile("e2e/support/word-clipboard.txt", "utf8"), "text/plain": "Winter on the fell" });
    await expect
      .poll(markdown)
      .toBe(
        [
          "## Winter on the fell",
          "### What to wear",
          "Dress in **three layers** and _not_ in cotton. See [the HSE](https://www.hse.gov.uk/).",
          "- A coat\n  - with a hood\n- A hat",
          "In this order:",
          "1. Shirt\n2. Fleece",
          "Last words.",
        ].join("\n\n"),
      );
    expect(await page().evaluate("window.hit")).toBeUndefined();
  });

  test("text from Google Docs keeps its formats", async () => {
    await clear();
    await paste({
      "text/html": `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" style="line-height:1.38"><span style="font-weight:700;color:#000">Bold</span><span style="font-weight:400"> and </span><span style="font-style:italic">slanted</span></p><ul style="margin-top:0"><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span style="font-weight:400">one</span></p></li><ul><li dir="ltr" aria-level="2"><p dir="ltr" role="presentation"><span>inner</span></p></li></ul><li dir="ltr"><p dir="ltr"><span>two</span></p></li></ul></b>`,
    });
    await expect.poll(markdown).toBe("**Bold** and _slanted_\n\n- one\n  - inner\n- two");
  });

  test("pasted Markdown stays text, and a table is shown and kept as it is", async () => {
    await clear();
    await paste({ "text/plain": "# not a heading" });
    await expect.poll(markdown).toBe("\\# not a heading");
    await button("Markdown").click();
    await page().getByLabel("Content").fill("* a\n* b\n\n|a|b|\n|-|-|\n|1|2|\n\nEnd");
    await button("Rich text").click();
    await richText(page()).getByRole("cell", { name: "2" }).waitFor();
    await richText(page()).press("ControlOrMeta+End");
    await type("ing");
    await expect.poll(markdown).toBe("* a\n* b\n\n|a|b|\n|-|-|\n|1|2|\n\nEnding");
  });

  test("HTML is kept as it is, and text with HTML that does not end opens as Markdown", async () => {
    await button("Markdown").click();
    await page().getByLabel("Content").fill("Words.\n\n<!-- a comment");
    await button("Rich text").click();
    await page().getByText("This text contains HTML").waitFor();
    expect(await markdown()).toBe("Words.\n\n<!-- a comment");
    await page().getByLabel("Content").fill("Words.\n\n<div>x</div>");
    await button("Rich text").click();
    await richText(page()).getByText("<div>x</div>").waitFor();
    await clear();
    await type("Words.");
  });

  test("typed text is restored after a reload, and is not mixed with what somebody else saved", async () => {
    await richText(page()).press("ControlOrMeta+End");
    await type(" Typed.");
    await page().reload();
    await continueUnsaved(page());
    await expect.poll(() => richText(page()).textContent()).toBe("Words. Typed.");
    await expect.poll(() => storedPosts(page(), "title=eq.Winter dates", "content")).toEqual([{ content: "Words. Typed." }]);
    await writePosts(page(), "title=eq.Winter dates", { content: "Theirs." });
    await richText(page()).press("ControlOrMeta+End");
    await type(" Mine.");
    await page().getByText("Somebody else changed this blog post while you were editing it.").waitFor();
    expect(await richText(page()).textContent()).toBe("Words. Typed. Mine.");
    await button("Save draft").click();
    await expect.poll(() => storedPosts(page(), "title=eq.Winter dates", "content")).toEqual([{ content: "Words. Typed. Mine." }]);
  });

  test("an empty text is refused at the editor", async () => {
    await clear();
    await button("Publish post").click();
    await expect.poll(() => richText(page()).evaluate((editor) => editor === document.activeElement)).toBe(true);
    await page().getByRole("alert").first().waitFor();
    await type("Bring a coat.");
  });

  test("the buttons are large enough for a finger", async () => {
    const session = await page().context().newCDPSession(page());
    await session.send("Emulation.setTouchEmulationEnabled", { enabled: true });
    const buttons = page().getByRole("toolbar").getByRole("button").or(button("Pictures")).or(button("Markdown"));
    const sizes = (): Promise<number[]> =>
      buttons.evaluateAll((all) => all.flatMap((each) => [each.getBoundingClientRect().height, each.getBoundingClientRect().width]));
    await expect.poll(async () => Math.min(...(await sizes()))).toBeGreaterThanOrEqual(44);
    await session.send("Emulation.setTouchEmulationEnabled", { enabled: false });
    await session.detach();
  });

  test("Markdown can be written while the editor does not load", async () => {
    await page().route(EDITOR, (route) => route.abort());
    await page().reload();
    await page().getByRole("button", { name: "Edit Winter dates" }).click();
    await page().getByText("Rich text could not be loaded").waitFor();
    await page().getByLabel("Content").fill("**Typed** in Markdown");
    await preview(page()).getByText("Typed").waitFor();
    await page().unroute(EDITOR);
  });

  testScreen("rich text", page, async (shown) => {
    await shown.goto("/admin/blog");
    await shown.getByRole("button", { name: "Edit What to pack" }).first().click();
    await richText(shown).getByRole("listitem").first().waitFor();
  });
});
