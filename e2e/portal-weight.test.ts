import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, openPage } from "./browser.ts";
import { inOneProcess, type Deployment } from "./deployments.ts";
import { signIn } from "./portal.ts";
import { startedDirectory } from "./started-directory.ts";

/** JavaScript of a first screen, with gzip. */
const BAR_BYTES = 180 * 1024;
const SCREENS = [
  "/admin",
  "/admin/bookings?new",
  "/admin/enquiries",
  "/admin/courses",
  "/admin/blog",
  "/admin/staff",
  "/admin/trail",
  "/admin/profile",
];

describe("the portal's JavaScript", () => {
  let browser: Browser;
  let site: Deployment;
  let signedIn: BrowserContext;
  const cleanup = new AsyncDisposableStack();
  beforeAll(async () => {
    const dataDir = cleanup.use(await startedDirectory());
    browser = cleanup.adopt(await launchBrowser(), (opened) => opened.close());
    site = cleanup.adopt(await inOneProcess(dataDir.path), (started) => started.stop());
    const page = await openPage(browser, { baseURL: site.url });
    signedIn = page.context();
    await signIn(page);
    await page.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
    await page.close();
  });
  afterAll(() => cleanup.disposeAsync());

  /** Every script a first visit of a screen loads, until nothing more comes; in a context of its own, so that nothing is cached. */
  async function weigh(path: string, options: BrowserContextOptions = {}): Promise<number> {
    const page = await openPage(browser, { baseURL: site.url, ...options });
    const bodies: Promise<Buffer>[] = [];
    page.on("response", (response) => {
      if (response.headers()["content-type"]?.includes("javascript")) bodies.push(response.body());
    });
    await page.goto(path, { waitUntil: "networkidle" });
    const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body, { level: 9 }).length);
    await page.context().close();
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  test.each(SCREENS)("of %s is at most 180 KB", async (path) => {
    const weight = await weigh(path, { storageState: await signedIn.storageState() });
    expect(weight).toBeGreaterThan(50 * 1024);
    expect(weight).toBeLessThanOrEqual(BAR_BYTES);
  });

  test("of the login is at most 180 KB", async () => {
    expect(await weigh("/admin")).toBeLessThanOrEqual(BAR_BYTES);
  });
});
