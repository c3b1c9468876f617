import { gzipSync } from "node:zlib";
import type { BrowserContextOptions } from "playwright-core";
import { describe, expect, test } from "vitest";
import { areas } from "../../site/app/portal/areas.ts";
import { browserOf, openPage } from "../support/browser.ts";
import { openPortal } from "../support/portal.ts";

/** Limit for the JavaScript of a first visit, after gzip. */
const BAR_BYTES = 180 * 1024;
/** The realtime client, which is loaded after the first screen. */
const LATER = /\/connection\.client-/;
/** Larger than a button or a dialog, before compression. */
const SMALL_BYTES = 10_000;
const SCREENS = ["/admin", "/admin/bookings?new", "/admin/profile", ...areas.map(({ to }) => to)];

describe("the portal's JavaScript", () => {
  const portal = openPortal();

  /** The scripts that a visit of a screen loads, in a fresh browser context without a cache. */
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
    const first = [...(await scriptsOf(path, options))].filter(([url]) => !LATER.test(url));
    const sizes = first.map(([, body]) => gzipSync(body, { level: 9 }).length);
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  test.each(SCREENS)("of %s is at most 180 KB", async (path) => {
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

  test("loads the realtime client after the first screen, and only where somebody is signed in", async () => {
    const storageState = await portal().context().storageState();
    const page = await openPage(browserOf(portal()), { baseURL: new URL(portal().url()).origin, storageState });
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    const connected = page.waitForEvent("websocket");
    await page.goto("/admin");
    await page.getByText("Unique Visitors").waitFor();
    expect((await connected).url()).toContain("/realtime/v1/websocket");
    const lastOfFirst = requested.findLastIndex((url) => url.includes("/assets/") && !LATER.test(url));
    expect(requested.findIndex((url) => LATER.test(url))).toBeGreaterThan(lastOfFirst);
    await page.context().close();
    for (const [url, body] of await scriptsOf("/admin")) expect(body.includes("phx_join"), url).toBe(false);
  });

  test.each(["/", "/door-supervisor", "/blog", "/enquiry", "/route"])(
    "opens no connection and loads no realtime code on %s",
    async (path) => {
      const page = await openPage(browserOf(portal()), { baseURL: new URL(portal().url()).origin });
      const sockets: string[] = [];
      page.on("websocket", (socket) => sockets.push(socket.url()));
      const scripts: Promise<string>[] = [];
      page.on("response", (response) => {
        if (response.headers()["content-type"]?.includes("javascript")) scripts.push(response.text());
      });
      await page.clock.install();
      await page.goto(path, { waitUntil: "networkidle" });
      await page.clock.fastForward(60_000);
      await page.waitForLoadState("networkidle");
      expect((await Promise.all(scripts)).filter((text) => text.includes("phx_join"))).toEqual([]);
      expect(sockets).toEqual([]);
      await page.context().close();
    },
  );

  test("of the login is at most 180 KB", async () => {
    expect(await weigh("/admin")).toBeLessThanOrEqual(BAR_BYTES);
  });
});
