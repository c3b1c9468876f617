import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage } from "./browser.ts";
import { inOneProcess, type Deploy } from "./deployments.ts";
import { STAFF } from "./product.ts";
import { startedDirectory } from "./started-directory.ts";

const axe = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Starts the product for the tests of this suite, with staff signed in; the page is there when they begin, and must not fail. */
export function openPortal(deploy: Deploy = inOneProcess): () => Page {
  const cleanup = new AsyncDisposableStack();
  const complaints: string[] = [];
  let page: Page | undefined;

  beforeAll(async () => {
    const dataDir = cleanup.use(await startedDirectory());
    const browser = cleanup.adopt(await launchBrowser(), (opened) => opened.close());
    const site = cleanup.adopt(await deploy(dataDir.path), (started) => started.stop());
    // axe is written into the page, which the site's own policy would refuse.
    page = await openPage(browser, { baseURL: site.url, bypassCSP: true, acceptDownloads: true });
    page.on("pageerror", (error) => complaints.push(error.message));
    await signIn(page);
    await page.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
  });
  afterAll(() => cleanup.disposeAsync());
  afterAll(() => expect(complaints).toEqual([]));

  return () => {
    if (!page) throw new Error("The portal is not open yet.");
    return page;
  };
}

/** Signs the one account in. */
export async function signIn(page: Page): Promise<void> {
  await page.goto("/admin");
  await page.getByLabel("E-mail").fill(STAFF.email);
  await page.getByLabel("Password").fill(STAFF.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Tests that a screen of the portal has nothing for axe to find and does not scroll sideways, from a phone to a desk, light and dark. */
export function testScreen(name: string, page: () => Page, show: (page: Page) => Promise<void>): void {
  test.each([
    [360, "light"],
    [360, "dark"],
    [768, "dark"],
    [1280, "light"],
  ] as const)(`${name} is clean at %i px in the %s scheme`, async (width, colorScheme) => {
    await page().setViewportSize({ width, height: 900 });
    await page().emulateMedia({ colorScheme });
    await show(page());
    expect(await violations(page())).toEqual([]);
    expect(await page().evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  });
}

/** Adds a date of Lvl 2 CCTV. */
export async function addDate(page: Page, start: string, capacity: string): Promise<void> {
  await page.goto("/admin/courses");
  await page.getByRole("button", { name: "Add course date" }).click();
  await page.getByLabel("Course Type").selectOption("Lvl 2 CCTV");
  await page.getByLabel("Start Date").fill(start);
  await page.getByLabel("Capacity").fill(capacity);
  await page.getByRole("form").getByRole("button", { name: "Add course date" }).click();
  await page.getByText("Course added successfully!").waitFor();
}

/** Presses a row's Delete and confirms it. */
export async function deleteRow(page: Page, name: RegExp): Promise<void> {
  await page.getByRole("button", { name }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
}

/** The option of a select, by its text. */
export function option(page: Page, label: string, text: RegExp): Locator {
  return page.getByLabel(label, { exact: true }).locator("option").filter({ hasText: text });
}

/** Chooses an option of a select, by its text. */
export async function choose(page: Page, label: string, text: RegExp): Promise<void> {
  const value = await option(page, label, text).getAttribute("value");
  await page.getByLabel(label, { exact: true }).selectOption(value);
}

/** Waits until the field of this name has the focus. */
export async function focused(page: Page, name: string): Promise<void> {
  await page.waitForFunction((wanted) => document.activeElement?.getAttribute("name") === wanted, name);
}

/** What axe finds wrong on the page, by rule and element. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate<string[]>(
    "axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)))",
  );
}
