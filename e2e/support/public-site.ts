import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { openPage } from "./browser.ts";
import { startProcess } from "./product.ts";
import { useBrowser } from "./shared-browser.ts";
import { startedDirectory } from "./started-directory.ts";

export const PHONE = { width: 360, height: 760 };
export const DESK = { width: 1280, height: 900 };

/** A running site and a browser for its visitors. */
interface PublicSite {
  url(): string;
  /** Opens a page in a fresh browser context. */
  open(options?: BrowserContextOptions): Promise<Page>;
}

/** Opens the public site for the tests of a file: a new site if `env` is given, else the shared one, which tests must not change. */
export function openPublicSite(env?: Record<string, string>): PublicSite {
  const browser = useBrowser();
  const cleanup = new AsyncDisposableStack();
  let started: string | undefined;

  beforeAll(async () => {
    started = env ? await start(env) : inject("publicSiteUrl");
  });
  afterAll(() => cleanup.disposeAsync());

  async function start(settings: Record<string, string>): Promise<string> {
    const dataDir = cleanup.use(await startedDirectory());
    return cleanup.use(await startProcess("server/build/site.js", { DATA_DIR: dataDir.path, ...settings })).url;
  }

  function url(): string {
    if (started === undefined) throw new Error("The site is not open yet.");
    return started;
  }

  return { url, open: (options = {}) => openPage(browser(), { baseURL: url(), ...options }) };
}

/** A carousel of the home page. */
export function carousel(page: Page, name: string) {
  return page.getByRole("group", { name, exact: true });
}

/** Presses a link or a button that leads to another page, and waits until that page is loaded; a click alone waits only until the navigation starts. */
export async function follow(page: Page, pressed: Locator): Promise<void> {
  await Promise.all([page.waitForEvent("load"), pressed.click()]);
}

/** Waits until the island of the home page is hydrated: the first countdown has ticked. */
export async function hydrated(page: Page): Promise<void> {
  const timer = page.getByRole("timer").first();
  const before = await timer.innerText();
  await page.keyboard.press("Shift");
  await expect.poll(() => timer.innerText()).not.toBe(before);
}

/** Replaces no-break spaces, which keep a number beside its noun. */
export function spaced(text: string): string {
  return text.replaceAll("\u00a0", " ");
}

/** Opens a page and reads its structured data. */
export async function structuredData(page: Page, path: string): Promise<unknown[]> {
  await page.goto(path);
  const text = (await page.locator("script[type='application/ld+json']").textContent()) ?? "";
  return JSON.parse(text)["@graph"];
}
