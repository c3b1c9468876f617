import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { launchBrowser, openPage } from "./browser.ts";
import { startProcess, type RunningProcess } from "./product.ts";
import { startedDirectory } from "./started-directory.ts";

export const PHONE = { width: 360, height: 760 };
export const DESK = { width: 1280, height: 900 };

/** The website as its visitors reach it. */
export interface PublicSite {
  url(): string;
  /** Opens a page in the browser of somebody who was never here before. */
  open(options?: BrowserContextOptions): Promise<Page>;
}

/** Starts the product for the tests of this file. */
export function openPublicSite(env: Record<string, string> = {}): PublicSite {
  const cleanup = new AsyncDisposableStack();
  let running: { browser: Browser; site: RunningProcess } | undefined;

  beforeAll(async () => {
    const dataDir = cleanup.use(await startedDirectory());
    const browser = cleanup.adopt(await launchBrowser(), (opened) => opened.close());
    const site = cleanup.use(await startProcess("server/site.ts", { DATA_DIR: dataDir.path, ...env }));
    running = { browser, site };
  });
  afterAll(() => cleanup.disposeAsync());

  function started(): { browser: Browser; site: RunningProcess } {
    if (!running) throw new Error("The site is not open yet.");
    return running;
  }

  return {
    url: () => started().site.url,
    open: (options = {}) => openPage(started().browser, { baseURL: started().site.url, ...options }),
  };
}

/** A row of home that moves. */
export function carousel(page: Page, name: string) {
  return page.getByRole("group", { name, exact: true });
}

/** Waits until the page's living part is alive: the first countdown has ticked. */
export async function hydrated(page: Page): Promise<void> {
  const timer = page.getByRole("timer").first();
  const before = await timer.innerText();
  await page.keyboard.press("Shift");
  await expect.poll(() => timer.innerText()).not.toBe(before);
}
