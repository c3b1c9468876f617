import { provider } from "content/provider.ts";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { chooseByKeyboard } from "../support/keyboard.ts";
import { carousel, DESK, hydrated, openPublicSite, PHONE } from "../support/public-site.ts";

const site = openPublicSite();

describe("with the keyboard only", () => {
  let page: Page;
  beforeAll(async () => {
    page = await site.open({ viewport: DESK, reducedMotion: "no-preference" });
  });

  test("the first Tab stop skips the navigation", async () => {
    await page.goto("/");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip to content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true);
  });

  test("the menu of a small screen opens, Tab moves through its links, and Escape returns the focus", async () => {
    await page.setViewportSize(PHONE);
    await page.goto("/blog");
    await tabTo(page, "Menu");
    await page.keyboard.press("Enter");
    for (const label of ["Home", "Courses", "Blog", "Contact", "Portal"]) {
      await page.keyboard.press("Tab");
      expect(await focused(page)).toBe(label);
    }
    await page.keyboard.press("Escape");
    await page.getByRole("navigation", { name: "Main" }).waitFor({ state: "hidden" });
    await expect.poll(() => focused(page)).toBe("Menu");
    await page.setViewportSize(DESK);
  });

  test("a chosen category survives a reload and the back button", async () => {
    await page.goto("/");
    await tabTo(page, "Medical Training");
    await page.keyboard.press("Enter");
    await carousel(page, "Medical Training").waitFor();
    await page.waitForURL(/category=medical/);
    await page.reload();
    await carousel(page, "Medical Training").waitFor();
    await tabTo(page, "Coming Soon");
    await page.keyboard.press("Enter");
    await carousel(page, "Coming Soon").waitFor();
    await page.goBack();
    await carousel(page, "Medical Training").waitFor();
  });

  test("a carousel is scrolled by arrow keys and by its buttons, and pauses", async () => {
    await page.goto("/");
    await hydrated(page);
    const reviews = carousel(page, "Reviews");
    await reviews.getByRole("group", { name: "Reviews, slides" }).focus();
    await page.keyboard.press("ArrowRight");
    await reviews.getByText("2–4 of 30", { exact: true }).waitFor();
    // The focus moves through the reviews, and the carousel scrolls along to the end.
    await tabTo(page, "Previous");
    const place = (): Promise<number> =>
      reviews
        .getByText(/^\d+–\d+ of 30$/)
        .innerText()
        .then((text) => Number.parseInt(text, 10));
    await expect.poll(place).toBe(28);
    await page.keyboard.press("Enter");
    await expect.poll(place).toBe(27);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Pause");
    await page.keyboard.press("Space");
    await expect.poll(() => focused(page)).toBe("Play");
  });

  test("a link to a section does not scroll its heading under the bar", async () => {
    await page.goto("/");
    await tabTo(page, "Courses");
    await page.keyboard.press("Enter");
    const bar = (await page.getByRole("banner").boundingBox()) ?? { y: 0, height: 0 };
    await expect.poll(async () => (await page.locator("#courses").boundingBox())?.y ?? -1).toBeLessThan(DESK.height / 2);
    await expect.poll(async () => (await page.locator("#courses-heading").boundingBox())?.y ?? -1).toBeGreaterThan(bar.y + bar.height);
  });

  test("the contact dialog opens, traps the focus, closes and returns it", async () => {
    await page.goto("/");
    await tabTo(page, "Contact");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Contact us" });
    await dialog.waitFor();
    for (const text of [provider.phone, provider.email, provider.address.street]) await dialog.getByText(text).waitFor();
    expect(await page.evaluate(() => document.activeElement?.closest("dialog") !== null)).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await expect.poll(() => focused(page)).toBe("Contact");
  });

  test("an enquiry with a mistake returns with its text and an error message, and is sent after a correction", async () => {
    await page.goto("/enquiry");
    await tabTo(page, "Your name");
    await page.keyboard.type("Sam Reed");
    await page.keyboard.press("Tab");
    await page.keyboard.type("nobody");
    await page.keyboard.press("Tab");
    await chooseByKeyboard(page, "CCTV");
    await page.keyboard.press("Tab");
    await page.keyboard.type("When is the next one?");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Send your question");
    await page.keyboard.press("Enter");
    const reply = page.getByLabel("E-mail or phone");
    await page.locator("[aria-invalid]").waitFor();
    expect(await reply.inputValue()).toBe("nobody");
    expect(await page.getByRole("combobox", { name: "Course" }).inputValue()).toBe("cctv");
    const described = (await reply.getAttribute("aria-describedby"))?.split(" ").at(-1);
    expect(await page.locator(`#${described}`).innerText()).toBe("This is neither an e-mail address nor a phone number.");

    await tabTo(page, "E-mail or phone");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("sam@reed.example");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Thank you, we have your question" }).waitFor();
    await page.getByText(provider.openingHours.text).first().waitFor();
  });
});

/** Presses Tab until the focused element has this accessible name: its label or its visible text. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press("Tab");
    if ((await focused(page)) === name) return;
  }
  throw new Error(`Tab did not reach “${name}”.`);
}

function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const element = document.activeElement;
    const label = element?.id ? document.querySelector(`label[for="${element.id}"]`) : null;
    return (label ?? element)?.textContent.trim();
  });
}
