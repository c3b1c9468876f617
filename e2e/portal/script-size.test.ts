import { gzipSync } from "node:zlib";
import type { BrowserContextOptions } from "playwright-core";
import { describe, expect, test } from "vitest";
import { areas } from "../../site/app/portal/areas.ts";
import { browserOf, openPage } from "../support/browser.ts";
import { openPortal } from "../support/portal.ts";

/** Limit for the JavaScript of a first visit, after gzip. */
const BAR_BYTES = 182 * 1024;
/** Larger than a button or a dialog, before compression. */
const SMALL_BYTES = 10_000;
const SCREENS = ["/admin", "/admin/bookings?new", "/admin/profile", ...areas.map(({ to }) => to)];

describe("the portal's JavaScript", () => {
  const portal = openPortal();

  /** The scripts that a first visit of a screen loads, in a fresh browser context without a cache. */
  async function scriptsOf(path: string, options: BrowserContextOptions = {}): Promise<Map<string, Buffer>> {
    const page = await openPage(browserOf(portal()), { baseURL: new URL(portal().url()).origin, ...options });
    const scripts: Promise<[url: string, body: Buffer]>[] = [];
    page.on("response", (response) => {
      if (response.headers()["content-type"]?.includes("javascript")) scripts.push(response.body().then((body) => [response.url(), body]));
    });
    await page.goto(path, { waitUntil: "networkidle" });
    const loaded = new Map(await Promise.all(scripts));
    await page.context().close();
    return loaded;
  }

  async function weigh(path: string, options?: BrowserContextOptions): Promise<number> {
    const sizes = [...(await scriptsOf(path, options)).values()].map((body) => gzipSync(body, { level: 9 }).length);
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  test.each(SCREENS)("of %s is at most 182 KB", async (path) => {
    const weight = await weigh(path, { storageState: await portal().context().storageState() });
    expect(weight).toBeGreaterThan(50 * 1024);
    expect(weight).toBeLessThanOrEqual(BAR_BYTES);
  });

  test("is not loaded by public pages, which share only React and small modules with it", async () => {
    const own = new Set((await scriptsOf("/admin")).keys());
    for (const path of ["/", "/door-supervisor", "/blog", "/enquiry"]) {
      const shared = [...(await scriptsOf(path))].filter(([url, { length }]) => own.has(url) && length > SMALL_BYTES).map(([url]) => url);
      expect(shared.filter((url) => !url.includes("/react-"))).toEqual([]);
    }
  });

  test("of the login is at most 182 KB", async () => {
    expect(await weigh("/admin")).toBeLessThanOrEqual(BAR_BYTES);
  });
});
