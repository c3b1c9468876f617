import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "./browser.ts";
import { deployments, type Deployment } from "./deployments.ts";
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
    const deploy = deployments["in one process"];
    if (!deploy) throw new Error("there is no such deployment");
    site = cleanup.adopt(await deploy(dataDir.path), (started) => started.stop());
    signedIn = await browser.newContext({ baseURL: site.url });
    const page = await signedIn.newPage();
    await signIn(page);
    await page.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
    await page.close();
  });
  afterAll(() => cleanup.disposeAsync());

  /** Every script a first visit of a screen loads, until nothing more comes. */
  async function weigh(context: BrowserContext, path: string): Promise<number> {
    const page = await context.newPage();
    const bodies: Promise<Buffer>[] = [];
    page.on("response", (response) => {
      if (response.headers()["content-type"]?.includes("javascript")) bodies.push(response.body());
    });
    await page.goto(path, { waitUntil: "networkidle" });
    await page.close();
    const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body, { level: 9 }).length);
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  test.each(SCREENS)("of %s is at most 180 KB", async (path) => {
    // A context of its own, so that nothing is cached; with the session of the one that signed in.
    const context = await browser.newContext({ baseURL: site.url, storageState: await signedIn.storageState() });
    const weight = await weigh(context, path);
    await context.close();
    expect(weight).toBeGreaterThan(50 * 1024);
    expect(weight).toBeLessThanOrEqual(BAR_BYTES);
  });

  test("of the login is at most 180 KB", async () => {
    const context = await browser.newContext({ baseURL: site.url });
    expect(await weigh(context, "/admin")).toBeLessThanOrEqual(BAR_BYTES);
    await context.close();
  });
});
