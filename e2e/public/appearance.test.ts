import type { Page } from "playwright-core";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { DESK, openPublicSite } from "../support/public-site.ts";

// Public pages in forced colours, in print and in dark mode.

const site = openPublicSite();
let page: Page;

beforeAll(async () => {
  page = await site.open({ viewport: DESK });
});

test.each([
  ["/", "#dates strong"],
  ["/", "#contact dd"],
  ["/cctv", "main dd"],
  ["/terms-conditions", "main time"],
])("figures on %s in %s are drawn in the font of the headings, whose zero has no slash", async (path, selector) => {
  await page.goto(path);
  await page
    .locator(selector)
    .first()
    .evaluate((element) => (element.textContent = "£0123456789"));
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("DOM.enable");
  await devtools.send("CSS.enable");
  const { root } = await devtools.send("DOM.getDocument");
  const { nodeId } = await devtools.send("DOM.querySelector", { nodeId: root.nodeId, selector });
  const used = async (): Promise<string[]> =>
    (await devtools.send("CSS.getPlatformFontsForNode", { nodeId })).fonts.map(({ familyName }) => familyName);
  await expect.poll(used).toEqual([expect.stringContaining("Bricolage")]);
  await devtools.detach();
});

describe("in forced colours", () => {
  beforeAll(async () => {
    await page.emulateMedia({ forcedColors: "active" });
    await page.goto("/");
  });

  test("only the current page has a bar in the navigation", async () => {
    const bars = await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link")
      .evaluateAll((links) =>
        links.filter((link) => Number.parseFloat(getComputedStyle(link).borderBottomWidth) === 3).map((link) => link.textContent),
      );
    expect(bars).toEqual(["Home"]);
  });

  test("the link of a date has a border, and the chosen category another background than the others", async () => {
    const book = await styleOf("#dates li a[href^='/ask/']", "borderTopWidth");
    expect(book).toBe("2px");
    const [chosen, other] = [
      await styleOf("[aria-pressed='true']", "backgroundColor"),
      await styleOf("[aria-pressed='false']", "backgroundColor"),
    ];
    expect(chosen).not.toBe(other);
  });
});

test.each(["light", "dark"] as const)("the text of the hero is dark in print, at night and on a %s screen", async (colorScheme) => {
  await page.emulateMedia({ forcedColors: "none", media: "print", colorScheme });
  await page.goto("/");
  await page.getByRole("region", { name: "Welcome" }).evaluate((hero) => hero.setAttribute("data-light", "night"));
  expect(await brightness("h1", "color")).toBeLessThan(60);
});

describe("in dark mode", () => {
  beforeAll(async () => {
    await page.emulateMedia({ forcedColors: "none", media: "screen", colorScheme: "dark" });
  });

  test("illustrations are dimmed, and scenes and portraits have the colours of the night", async () => {
    await page.goto("/");
    expect(await styleOf("#courses img", "filter")).toContain("brightness(0.9)");
    for (const [path, picture] of [
      ["/", "#team img"],
      ["/blog", "main img"],
      ["/nowhere", "main img"],
      ["/enquiry/thanks", "main img"],
    ] as const) {
      await page.goto(path);
      expect(await styleOf(picture, "filter"), path).toContain("brightness(0.9)");
      const shown = page.locator(picture).first();
      await shown.scrollIntoViewIfNeeded();
      await expect.poll(() => shown.evaluate((image) => image instanceof HTMLImageElement && image.complete)).toBe(true);
      const { channels } = await sharp(await shown.screenshot()).stats();
      expect(Math.max(...channels.map(({ mean }) => mean)), path).toBeLessThan(110);
    }
  });

  test("the board, the reviews and the dialog have a visible edge", async () => {
    await page.goto("/");
    await page.getByRole("link", { name: "Contact" }).click();
    for (const part of ["#dates > div", "#testimonials figure", "#contact-dialog"]) {
      expect(await styleOf(part, "borderLeftWidth"), part).toBe("1px");
      expect((await brightness(part, "borderLeftColor")) - (await brightness("html", "backgroundColor")), part).toBeGreaterThan(35);
    }
  });
});

function styleOf(selector: string, property: "filter" | "borderTopWidth" | "borderLeftWidth" | "backgroundColor"): Promise<string> {
  return page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element)[name], property);
}

/** The mean of red, green and blue of a colour, 0 to 255. */
async function brightness(selector: string, property: "color" | "borderLeftColor" | "backgroundColor"): Promise<number> {
  const colour = await page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element)[name], property);
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return (red + green + blue) / 3;
}
