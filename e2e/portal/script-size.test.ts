import { gzipSync } from "node:zlib";
import type { Page, Response } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { areas } from "../../site/app/portal/areas.ts";
import { browserOf, openPage } from "../support/browser.ts";
import { openPortal } from "../support/portal.ts";

/** The limit for the JavaScript of a screen of the portal, after gzip. */
const SCREEN_BYTES = 180 * 1024;
/** The limit for the sign-in page, before somebody types. */
const LOGIN_BYTES = 96 * 1024;
/** React alone is larger, so a smaller total means that scripts were not recorded. */
const LEAST_BYTES = 50 * 1024;
/** The realtime client, which is loaded after the first screen. */
const LATER = /\/connection\.client-/;
/** The limit for a small module, such as a button or a dialog, before compression. */
const SMALL_BYTES = 10_000;
/** Public pages with the limit for their JavaScript, in KB. */
const PUBLIC: readonly [path: string, mostKilobytes: number][] = [
  ["/", 100],
  ["/door-supervisor", 5],
  ["/blog", 5],
  ["/enquiry", 5],
];
const SCREENS = ["/admin", "/admin/bookings?new", "/admin/profile", ...areas.map(({ to }) => to)];

describe("the JavaScript", () => {
  const portal = openPortal();

  let visitor: Page;
  const sockets: string[] = [];
  beforeAll(async () => {
    visitor = await openPage(browserOf(portal()), { baseURL: new URL(portal().url()).origin });
    await visitor.clock.install();
    visitor.on("websocket", (socket) => sockets.push(`${visitor.url()}: ${socket.url()}`));
  });

  const bodies = new Map<string, Promise<Buffer>>();
  const visits = new Map<string, Promise<Map<string, Buffer>>>();
  /** The scripts of a page, also from the cache of the browser. Each person visits a page once. */
  function scriptsOf(page: Page, path: string): Promise<Map<string, Buffer>> {
    const key = `${page === visitor ? "visitor" : "staff"} ${path}`;
    const scripts = visits.get(key) ?? visit(page, path);
    visits.set(key, scripts);
    return scripts;
  }

  /** Opens a page and returns its scripts; a visitor stays on it for a minute. */
  async function visit(page: Page, path: string): Promise<Map<string, Buffer>> {
    const urls = new Set<string>();
    const collect = (response: Response): void => {
      if (response.headers()["content-type"]?.includes("javascript")) urls.add(response.url());
    };
    page.on("response", collect);
    await page.goto(path, { waitUntil: "networkidle" });
    if (page === visitor) {
      await page.clock.fastForward(60_000);
      await page.waitForLoadState("networkidle");
    }
    page.off("response", collect);
    return new Map(
      await Promise.all(
        [...urls].map(async (url): Promise<[url: string, body: Buffer]> => {
          const body = bodies.get(url) ?? fetch(url).then(async (response) => Buffer.from(await response.arrayBuffer()));
          bodies.set(url, body);
          return [url, await body];
        }),
      ),
    );
  }

  async function sizeOf(page: Page, path: string): Promise<number> {
    const first = [...(await scriptsOf(page, path))].filter(([url]) => !LATER.test(url));
    const sizes = first.map(([, body]) => gzipSync(body, { level: 9 }).length);
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  test.each(SCREENS)("of %s is at most 180 KB", async (path) => {
    const size = await sizeOf(portal(), path);
    expect(size).toBeGreaterThan(LEAST_BYTES);
    expect(size).toBeLessThanOrEqual(SCREEN_BYTES);
  });

  test.each(PUBLIC)("of %s is at most %i KB, without code of the portal or supabase-js", async (path, mostKilobytes) => {
    const size = await sizeOf(visitor, path);
    expect(size).toBeGreaterThan(500);
    expect(size).toBeLessThanOrEqual(mostKilobytes * 1024);
    for (const [url, body] of await scriptsOf(visitor, path))
      expect(body.toString("utf8"), url).not.toMatch(/PostgrestClient|GoTrueClient|supabase-js|Course Management/);
  });

  test("of the portal is not loaded by public pages, which share only React and small modules with it", async () => {
    const own = new Set((await scriptsOf(portal(), "/admin")).keys());
    for (const [path] of PUBLIC) {
      const shared = [...(await scriptsOf(visitor, path))]
        .filter(([url, { length }]) => own.has(url) && length > SMALL_BYTES)
        .map(([url]) => url);
      expect(shared.filter((url) => !url.includes("/react-"))).toEqual([]);
    }
  });

  test("loads the realtime client after the first screen, and only where somebody is signed in", async () => {
    const page = await portal().context().newPage();
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    const connected = page.waitForEvent("websocket");
    await page.goto("/admin");
    await page.getByText("Unique Visitors").waitFor();
    expect((await connected).url()).toContain("/realtime/v1/websocket");
    const lastOfFirst = requested.findLastIndex((url) => url.includes("/assets/") && !LATER.test(url));
    expect(requested.findIndex((url) => LATER.test(url))).toBeGreaterThan(lastOfFirst);
    await page.close();
    for (const [url, body] of await scriptsOf(visitor, "/admin")) expect(body.includes("phx_join"), url).toBe(false);
  });

  test.each([...PUBLIC.map(([path]) => path), "/route"])("opens no connection and loads no realtime code on %s", async (path) => {
    const scripts = await scriptsOf(visitor, path);
    expect([...scripts].filter(([, body]) => body.includes("phx_join"))).toEqual([]);
    expect(sockets).toEqual([]);
  });

  test("of the sign-in page is at most 96 KB, and its first input loads that of the dashboard", async () => {
    const dashboard = [...(await scriptsOf(portal(), "/admin")).keys()].filter((url) => !LATER.test(url));
    const size = await sizeOf(visitor, "/admin");
    expect(size).toBeGreaterThan(LEAST_BYTES);
    expect(size).toBeLessThanOrEqual(LOGIN_BYTES);
    const loaded = new Set<string>();
    visitor.on("response", (response) => loaded.add(response.url()));
    await visitor.goto("/admin");
    await visitor.getByRole("button", { name: "Sign in" }).and(visitor.locator(":enabled")).waitFor();
    await visitor.getByLabel("E-mail").fill("jo");
    await expect.poll(() => dashboard.filter((url) => !loaded.has(url) && !/\/portal\.client-/.test(url))).toEqual([]);
  });
});
