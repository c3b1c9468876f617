import sharp from "sharp";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { noise, phonePhoto } from "../../../backend/test/wire/picture-fixture.ts";
import { describeDeployments, inOneOrTwoProcesses } from "../../support/deployments.ts";
import { beginPost, choosePicture, openPictures, pictures, uploaded } from "../../support/pictures.ts";
import { openPortal } from "../../support/portal.ts";

describeDeployments("pictures of posts", inOneOrTwoProcesses, (deploy) => {
  const portal = openPortal(deploy);
  beforeAll(() => beginPost(portal(), "A day of bandages"));

  test("a photo is chosen, cannot be inserted without a description, and is inserted at the cursor", async () => {
    const page = portal();
    await page.getByLabel("Content").evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(7, 7));
    await openPictures(page);
    await choosePicture(page, "Practice Room.jpg", await phonePhoto());
    await uploaded(page, "Practice Room.jpg");
    await pictures(page).getByRole("button", { name: "Insert into the text: Practice Room.jpg" }).click();
    await pictures(page).getByText("Describe the picture in a few words.").waitFor();
    await pictures(page).getByLabel("What does it show?").fill("Learners [two of them] bandaging");
    await pictures(page).getByLabel("What does it show?").press("Enter");
    await pictures(page).waitFor({ state: "hidden" });
    await expect
      .poll(() => page.getByLabel("Content").inputValue())
      .toMatch(
        /^Before\.\n\n!\[Learners \\\[two of them\\\] bandaging\]\(\/storage\/v1\/object\/public\/post-images\/practice-room-[0-9a-f]{8}-1200x1600\.jpg\)\n\nAfter\.$/,
      );
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
  });

  test("the stored picture is upright and has no location data", async () => {
    const page = portal();
    const [address] = /\/storage\/v1\/object[^)]+/.exec(await page.getByLabel("Content").inputValue()) ?? [];
    const stored = await page.request.get(address ?? "");
    const { width, height, exif } = await sharp(await stored.body()).metadata();
    expect([width, height, exif]).toEqual([1200, 1600, undefined]);
  });

  test("a picture of the media library becomes the cover image", async () => {
    const page = portal();
    await openPictures(page);
    await pictures(page)
      .getByRole("button", { name: /^Use practice room/ })
      .click();
    await pictures(page)
      .getByRole("button", { name: /^Set as cover image: practice room/ })
      .click();
    await page.getByRole("status").filter({ hasText: "Cover image: practice room" }).waitFor();
    await expect.poll(() => page.getByLabel("Image URL").inputValue()).toContain("/storage/v1/object/public/post-images/practice-room-");
  });

  test("the published post shows pictures in several sizes with reserved space, and the browser takes AVIF", async () => {
    const page = portal();
    await page.getByRole("button", { name: "Publish post" }).click();
    await page.getByText("Blog post added successfully!").waitFor();
    const rendition = page.waitForResponse((response) => /render\/image\/public\/post-images\/practice-room/.test(response.url()));
    await page.goto("/blog/a-day-of-bandages");
    const picture = page.getByRole("img", { name: "Learners [two of them] bandaging" });
    await picture.scrollIntoViewIfNeeded();
    expect((await rendition).headers()["content-type"]).toBe("image/avif");
    await page.waitForFunction(() => [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0));
    expect(await picture.getAttribute("srcset")).toMatch(/480w, .* 800w, .* 1200w$/);
    expect([await picture.getAttribute("width"), await picture.getAttribute("height"), await picture.getAttribute("loading")]).toEqual([
      "1200",
      "1600",
      "lazy",
    ]);
    expect(await page.locator("article > img").getAttribute("srcset")).toContain("/practice-room-");
  });

  test("a picture in use is not deleted and the message names the post; an unused one is deleted", async () => {
    const page = portal();
    await beginPost(page, "Another post");
    await openPictures(page);
    await choosePicture(page, "Unused.png", await noise("png", 60, 40), "image/png");
    await uploaded(page, "Unused.png");
    await deletePicture(page, /^Delete practice room/);
    await pictures(page).getByText("This picture is in use. Remove it from these posts first:").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain("A day of bandages");
    await pictures(page).getByRole("link", { name: "A day of bandages" }).waitFor();
    await deletePicture(page, /^Delete unused/);
    await pictures(page).getByText("Picture deleted successfully!").waitFor();
    await pictures(page)
      .getByRole("button", { name: /^Delete unused/ })
      .waitFor({ state: "detached" });
  });

  test("a picture of the media library is used again", async () => {
    const page = portal();
    // The message about the deletion, which had the focus, does not take it again.
    const use = pictures(page).getByRole("button", { name: /^Use practice room/ });
    await use.press("Enter");
    await pictures(page).getByLabel("What does it show?").last().waitFor();
    await use.and(page.locator(":focus")).waitFor();
    await pictures(page).getByLabel("What does it show?").last().fill("The same room");
    // A completed upload does not clear the description.
    await choosePicture(page, "Later.png", await noise("png", 60, 40), "image/png");
    await pictures(page)
      .getByRole("button", { name: /^Use later/ })
      .waitFor();
    expect(await pictures(page).getByLabel("What does it show?").last().inputValue()).toBe("The same room");
    await pictures(page)
      .getByRole("button", { name: /^Insert into the text: practice room/ })
      .click();
    await pictures(page).waitFor({ state: "hidden" });
    await expect
      .poll(() => page.getByLabel("Content").inputValue())
      .toContain("![The same room](/storage/v1/object/public/post-images/practice-room-");
  });
});

async function deletePicture(page: Page, name: RegExp): Promise<void> {
  await pictures(page).getByRole("button", { name }).click();
  await page.getByRole("dialog", { name: "Are you sure you want to delete this picture?" }).getByRole("button", { name: "Delete" }).click();
}
