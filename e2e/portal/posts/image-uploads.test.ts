import type { Page, Route } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { noise } from "../../../backend/test/wire/picture-fixture.ts";
import { beginPost, choosePicture, closePictures, openPictures, pictures, upload, uploaded } from "../../support/pictures.ts";
import { violations } from "../../support/axe.ts";
import { openPortal, testScreen } from "../../support/portal.ts";

const UPLOADS = "**/storage/v1/object/post-images/**";

describe("uploads of the editor", () => {
  const portal = openPortal();
  beforeAll(() => beginPost(portal(), "A day of bandages"));

  test.each(["drop", "paste"] as const)("a %s onto the text opens the picture dialog with the file", async (event) => {
    const page = portal();
    await hand(page, event, `${event}ped.png`, await noise("png", 900, 600));
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
    // Only now: a request that is sent while the last route of a page is removed may never get its answer.
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
    await pictures(page).getByRole("button", { name: "Try again" }).click();
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
    await pictures(page).getByRole("button", { name: "Dismiss letter.jpg" }).click();
    await upload(page, "letter.jpg").waitFor({ state: "detached" });
    await closePictures(page);
  });

  testScreen("the picture dialog of the editor", portal, async (page) => {
    if (!(await pictures(page).isVisible())) await openPictures(page);
    await pictures(page)
      .getByRole("button", { name: /^Use dropped/ })
      .waitFor();
  });
});

/** Pastes or drops files onto the text area. */
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
