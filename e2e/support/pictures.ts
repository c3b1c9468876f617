import type { Locator, Page } from "playwright-core";
import { preferMarkdown } from "./posts.ts";

/** The picture dialog of the editor. */
export function pictures(page: Page): Locator {
  return page.getByRole("dialog", { name: "Pictures" });
}

/** The card of a chosen, pasted or dropped file in the picture dialog. */
export function upload(page: Page, fileName: string): Locator {
  return pictures(page).getByRole("listitem").filter({ hasText: fileName });
}

export async function openPictures(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Pictures", exact: true }).click();
  await pictures(page).waitFor();
}

export async function closePictures(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await pictures(page).waitFor({ state: "hidden" });
}

/** Starts a new post in Markdown. */
export async function beginPost(page: Page, title: string): Promise<void> {
  await preferMarkdown(page);
  await page.goto("/admin/blog");
  await page.getByRole("button", { name: "New post" }).click();
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Author").fill("Jess Airey");
  await page.getByLabel("Content").fill("Before.\n\nAfter.");
}

/** Chooses a file in the open picture dialog. */
export async function choosePicture(page: Page, name: string, buffer: Uint8Array, mimeType = "image/jpeg"): Promise<void> {
  await pictures(page)
    .getByLabel("Choose pictures, or drop them here")
    .setInputFiles({ name, mimeType, buffer: Buffer.from(buffer) });
}

/** Waits until a chosen file is uploaded. */
export async function uploaded(page: Page, fileName: string): Promise<void> {
  await upload(page, fileName).getByText("Uploaded.").waitFor();
}
