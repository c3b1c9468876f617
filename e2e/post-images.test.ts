import type { Page, Route } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import sharp from "sharp";
import { noise, phonePhoto } from "../backend/test/wire/picture-fixture.ts";
import { deployApart, deployments } from "./deployments.ts";
import { openPortal, testScreen, violations } from "./portal.ts";

const UPLOADS = "**/storage/v1/upload/resumable**";

describe.each([...Object.entries(deployments), ["with the backend in another process", deployApart] as const])(
  "pictures of posts, %s",
  (_name, deploy) => {
    const portal = openPortal(deploy);
    const dialog = (page: Page) => page.getByRole("dialog", { name: "Pictures" });
    beforeAll(() => write(portal(), "A day of bandages"));

    async function write(page: Page, title: string): Promise<void> {
      await page.goto("/admin/blog");
      await page.getByRole("button", { name: "New Post" }).click();
      await page.getByLabel("Title").fill(title);
      await page.getByLabel("Author").fill("Jess Airey");
      await page.getByLabel("Content").fill("Before.\n\nAfter.");
    }

    async function chosen(page: Page, name: string, buffer: Uint8Array, mimeType = "image/jpeg"): Promise<void> {
      if (!(await dialog(page).isVisible())) await page.getByRole("button", { name: "Pictures", exact: true }).click();
      await dialog(page)
        .getByLabel("Choose pictures, or drop them here")
        .setInputFiles({ name, mimeType, buffer: Buffer.from(buffer) });
    }

    /** Gives the text area files as a paste or a drop does. */
    async function hand(page: Page, event: "paste" | "drop", name: string, picture: Uint8Array): Promise<void> {
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

    test("a photograph is chosen, cannot be inserted without words, and goes where the cursor was", async () => {
      const page = portal();
      await page.getByLabel("Content").evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(7, 7));
      await chosen(page, "Practice Room.jpg", await phonePhoto());
      await dialog(page).getByText("Uploaded.").waitFor();
      await dialog(page).getByRole("button", { name: "Insert into the text: Practice Room.jpg" }).click();
      await dialog(page).getByText("Describe the picture in a few words.").waitFor();
      await dialog(page).getByLabel("What does it show?").fill("Learners [two of them] bandaging");
      await dialog(page).getByLabel("What does it show?").press("Enter");
      await dialog(page).waitFor({ state: "hidden" });
      const text = await page.getByLabel("Content").inputValue();
      expect(text).toMatch(
        /^Before\.\n\n!\[Learners \\\[two of them\\\] bandaging\]\(\/storage\/v1\/object\/public\/post-images\/practice-room-[0-9a-f]{8}-1200x1600\.jpg\)\n\nAfter\.$/,
      );
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
    });

    test("what was stored stands upright and says nothing of the place", async () => {
      const page = portal();
      const [address] = /\/storage\/v1\/object[^)]+/.exec(await page.getByLabel("Content").inputValue()) ?? [];
      const stored = await page.request.get(address ?? "");
      const { width, height, exif } = await sharp(await stored.body()).metadata();
      expect([width, height, exif]).toEqual([1200, 1600, undefined]);
    });

    test.each(["drop", "paste"] as const)("a %s onto the text opens the pictures with it", async (event) => {
      const page = portal();
      await hand(page, event, `${event}ped.png`, await noise("png", 900, 600));
      await dialog(page).getByText("Uploaded.").first().waitFor();
      await dialog(page).getByLabel("What does it show?").first().fill(`A ${event}`);
      await dialog(page)
        .getByRole("button", { name: `Insert into the text: ${event}ped.png` })
        .click();
      await dialog(page).waitFor({ state: "hidden" });
      expect(await page.getByLabel("Content").inputValue()).toContain(`![A ${event}](/storage/v1/object/public/post-images/${event}ped-`);
      await page.getByRole("button", { name: "Pictures", exact: true }).click();
      await dialog(page)
        .getByRole("button", { name: `Put away ${event}ped.png` })
        .click();
      await page.keyboard.press("Escape");
    });

    test("words that are pasted with a likeness of them are words", async () => {
      const page = portal();
      const taken = await page.getByLabel("Content").evaluate((area) => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File(["likeness"], "table.png", { type: "image/png" }));
        clipboardData.setData("text/plain", "Monday\t9:00");
        return !area.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData }));
      });
      expect([taken, await dialog(page).isVisible()]).toEqual([false, false]);
    });

    test("an upload is cancelled, and nothing of it stays", async () => {
      const page = portal();
      await page.route(UPLOADS, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 2000));
        await route.continue().catch(() => undefined);
      });
      await chosen(page, "cancelled.jpg", await noise("jpeg", 900, 600));
      await dialog(page).getByRole("progressbar", { name: "Upload of cancelled.jpg" }).waitFor();
      const cleared = page.waitForResponse(
        (response) => response.request().method() === "DELETE" && response.url().endsWith("/object/post-images"),
      );
      await dialog(page).getByRole("button", { name: "Cancel cancelled.jpg" }).click();
      await dialog(page).getByText("cancelled.jpg").waitFor({ state: "detached" });
      await page.unroute(UPLOADS);
      await page.keyboard.press("Escape");
      await cleared;
      await page.getByRole("button", { name: "Pictures", exact: true }).click();
      await dialog(page).getByText("practice room").first().waitFor();
      expect(await dialog(page).getByText("cancelled").count()).toBe(0);
    });

    test("an upload goes on after the line was cut", async () => {
      const page = portal();
      const cut = (route: Route): Promise<void> => route.abort("internetdisconnected");
      await page.route(UPLOADS, cut);
      await chosen(page, "cut.jpg", await noise("jpeg", 900, 600));
      await dialog(page).getByText("The connection was cut.").waitFor({ timeout: 25_000 });
      expect(await dialog(page).getByRole("button", { name: "Insert into the text: cut.jpg" }).isDisabled()).toBe(true);
      expect(await violations(page)).toEqual([]);
      await page.unroute(UPLOADS, cut);
      await dialog(page).getByRole("button", { name: "Try again" }).click();
      await dialog(page).getByText("Uploaded.").first().waitFor();
      await dialog(page).getByRole("button", { name: "Use as head picture: cut.jpg" }).click();
      expect(await page.getByLabel("Image URL").inputValue()).toContain("/storage/v1/object/public/post-images/cut-");
    });

    test("what is no picture is refused in words", async () => {
      const page = portal();
      await chosen(page, "letter.jpg", new TextEncoder().encode("not a picture"));
      await dialog(page).getByText("letter.jpg cannot be opened as a picture here.").waitFor();
      await dialog(page).getByRole("button", { name: "Put away letter.jpg" }).click();
      await page.keyboard.press("Escape");
    });

    test("the published post shows them in sizes and leaves their room, and the browser takes AVIF", async () => {
      const page = portal();
      await page.getByRole("button", { name: "Publish Post" }).click();
      await page.getByText("Blog post added successfully!").waitFor();
      const drawn = page.waitForResponse((response) => /render\/image\/public\/post-images\/practice-room/.test(response.url()));
      await page.goto("/blog/a-day-of-bandages");
      const picture = page.getByRole("img", { name: "Learners [two of them] bandaging" });
      await picture.scrollIntoViewIfNeeded();
      expect((await drawn).headers()["content-type"]).toBe("image/avif");
      await page.waitForFunction(() => [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0));
      expect(await picture.getAttribute("srcset")).toMatch(/480w, .* 800w, .* 1200w$/);
      expect([await picture.getAttribute("width"), await picture.getAttribute("height"), await picture.getAttribute("loading")]).toEqual([
        "1200",
        "1600",
        "lazy",
      ]);
      expect(await page.getByRole("img", { name: "Picture for" }).getAttribute("srcset")).toContain("/cut-");
    });

    test("one in use is not deleted and it is said where; one that is not is", async () => {
      const page = portal();
      await write(page, "Another post");
      await chosen(page, "Unused.png", await noise("png", 60, 40), "image/png");
      await dialog(page).getByText("Uploaded.").waitFor();
      await deletePicture(page, /^Delete practice room/);
      await dialog(page).getByText("This picture is in use. Take it out of these posts first:").waitFor();
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("A day of bandages");
      await dialog(page).getByRole("link", { name: "A day of bandages" }).waitFor();
      await deletePicture(page, /^Delete unused/);
      await dialog(page).getByText("Picture deleted successfully!").waitFor();
      expect(
        await dialog(page)
          .getByRole("button", { name: /^Delete unused/ })
          .count(),
      ).toBe(0);
    });

    test("one that is there is used again", async () => {
      const page = portal();
      await dialog(page)
        .getByRole("button", { name: /^Use practice room/ })
        .click();
      await dialog(page).getByLabel("What does it show?").last().fill("The same room");
      await dialog(page)
        .getByRole("button", { name: /^Insert into the text: practice room/ })
        .click();
      await dialog(page).waitFor({ state: "hidden" });
      expect(await page.getByLabel("Content").inputValue()).toContain(
        "![The same room](/storage/v1/object/public/post-images/practice-room-",
      );
    });

    testScreen("the pictures of the editor", portal, async (page) => {
      if (!(await dialog(page).isVisible())) await page.getByRole("button", { name: "Pictures", exact: true }).click();
      await dialog(page).getByText("practice room").first().waitFor();
    });

    async function deletePicture(page: Page, name: RegExp): Promise<void> {
      await dialog(page).getByRole("button", { name }).click();
      await page
        .getByRole("dialog", { name: "Are you sure you want to delete this picture?" })
        .getByRole("button", { name: "Delete" })
        .click();
    }
  },
);
