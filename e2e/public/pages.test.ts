import { pages } from "content/pages.ts";
import { HtmlValidate } from "html-validate";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { violations, violationsOfSchemes } from "../support/axe.ts";
import { openPublicSite } from "../support/public-site.ts";

// Every kind of public page, in every state a visitor can reach, is accessible, valid, and no wider than the screen.

const POST = "/blog/what-to-pack-for-your-first-day-of-door-supervisor-training";
const PAGES: [name: string, path: string][] = [
  ...pages.map(({ title, path, entries }): [string, string] => [title, entries === "posts" ? POST : (entries?.[0]?.path ?? path)]),
  ["A route", "/route?goal=door-supervisor"],
  ["A comparison", "/courses/compare?course=cctv&course=first-aid&course=door-supervisor"],
  ["Dates that nothing fits", "/dates?month=august&days=weekends"],
  ["Courses that nothing fits", "/courses?month=august&days=weekends"],
  ["Posts with a word", "/blog-search?for=first"],
  ["An unknown page", "/nowhere"],
  ["An unknown post", "/blog/nobody-wrote-this"],
];
const WIDTHS = { narrow: { width: 360, height: 760 }, wide: { width: 1280, height: 900 } };
/** All categories except the one that the home page shows first. */
const CATEGORIES = ["medical", "refresher", "health-safety", "coming-soon"];

// Only the rules of the HTML standard; axe checks accessibility.
const validator = new HtmlValidate({
  extends: ["html-validate:standard"],
  rules: {
    // HTML ignores the case of attribute names; React writes some in camel case.
    "attr-case": "off",
  },
});

const site = openPublicSite();
let page: Page;
let dateId: string;
beforeAll(async () => {
  page = await site.open();
  await page.goto("/");
  const ask = await page
    .getByRole("link", { name: /^Ask for this place/ })
    .first()
    .getAttribute("href");
  if (ask === null) throw new Error("No page links to a form that asks for a place.");
  dateId = ask.split("/").at(-1) ?? "";
});

describe.each(PAGES)("%s", (_name, path) => {
  test("has no axe violation on a phone and a desktop screen, there in both colour schemes, and fits 320 pixels", async () => {
    await page.goto(addressOf(path));
    expect(await violationsOf()).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });

  test("is valid HTML", async () => {
    const html = await (await fetch(site.url() + addressOf(path))).text();
    const { results } = await validator.validateString(html);
    expect(
      results.flatMap(({ messages }) => messages.map(({ ruleId, message, line, column }) => ({ ruleId, message, line, column }))),
    ).toEqual([]);
  });
});

describe("home", () => {
  test("has no axe violation in the dark colour scheme on a phone", async () => {
    await page.setViewportSize(WIDTHS.narrow);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto("/");
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "light" });
  });

  test.each(CATEGORIES)("has no axe violation with the category %s chosen", async (category) => {
    await page.goto(`/?category=${category}`);
    await showOnly("#courses");
    expect(await violationsOf("#courses")).toEqual([]);
  });

  test("has no axe violation with reviews and later dates opened", async () => {
    await page.goto("/");
    await page.evaluate(() => document.querySelectorAll("main details").forEach((details) => details.setAttribute("open", "")));
    await showOnly("#dates, #testimonials");
    expect(await violationsOf("#dates, #testimonials")).toEqual([]);
  });
});

test.each(["/", "/courses"])("header and footer of %s have no axe violation on a desktop screen in either colour scheme", async (path) => {
  await page.setViewportSize(WIDTHS.wide);
  await page.goto(path);
  expect(await violationsOfSchemes(page, "header, footer")).toEqual([]);
});

test("header, menu and footer have no axe violation on a phone in either colour scheme", async () => {
  await page.setViewportSize(WIDTHS.narrow);
  await page.goto("/blog");
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  expect(await violationsOfSchemes(page, "header, footer")).toEqual([]);
});

test("the contact dialog has no axe violation when open", async () => {
  await page.setViewportSize(WIDTHS.wide);
  await page.goto("/");
  await page.getByRole("link", { name: "Contact" }).click();
  await page.getByRole("dialog", { name: "Contact us" }).waitFor();
  await showOnly("#contact-dialog");
  expect(await violationsOf("#contact-dialog")).toEqual([]);
});

test("a refused enquiry has no axe violation", async () => {
  await page.goto("/enquiry");
  await page.getByLabel("Your name").fill("Sam");
  await page.getByLabel("E-mail or phone").fill("nobody");
  await page.getByLabel("Your question").fill("When?");
  await page.getByRole("button", { name: "Send your question" }).click();
  await page.getByRole("link", { name: "This is neither an e-mail address nor a phone number." }).waitFor();
  expect(await violationsOf()).toEqual([]);
});

/**
 * The axe violations of a page or a part of it: on a phone in light colours, on a desktop screen in both colour schemes. There only the main
 * part of a page is examined; the header and the footer have tests of their own, and so has home, which shows other controls on a phone.
 */
async function violationsOf(part?: string): Promise<string[]> {
  await page.setViewportSize(WIDTHS.narrow);
  const narrow = await violations(page, part);
  await page.setViewportSize(WIDTHS.wide);
  return [...narrow.map((violation) => `phone: ${violation}`), ...(await violationsOfSchemes(page, part ?? "main"))];
}

/** Hides the rest of the page, on which axe would spend most of its time. */
async function showOnly(selector: string): Promise<void> {
  await page.evaluate((wanted) => {
    const shown = [...document.querySelectorAll(wanted)];
    for (const element of document.body.querySelectorAll<HTMLElement>("*"))
      if (!shown.some((each) => each.contains(element) || element.contains(each))) element.style.display = "none";
  }, selector);
}

/** The path with the id of a real course date. */
function addressOf(path: string): string {
  return path.replace(":dateId", dateId);
}
