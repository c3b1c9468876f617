import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import sharp from "sharp";
import { launchBrowser } from "../e2e/support/browser.ts";
import { STAFF, startProcess, temporaryDirectory } from "../e2e/support/product.ts";

// Takes the pictures of `docs/screenshots/` from the production build with its samples: `npm run screenshots`, after a build.

const DIRECTORY = fileURLToPath(new URL("../docs/screenshots/", import.meta.url));
const DESK = { width: 1280, height: 900 };
const VIEWPORTS = [{ width: 360, height: 760 }, { width: 768, height: 1024 }, DESK, { width: 1920, height: 1080 }];
const PAGES = { home: "/", course: "/door-supervisor", blog: "/blog", lost: "/nowhere", dashboard: "/admin" };
// The statistics ignore headless browsers, so the script uses the user agent of a person.
const PERSON = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const WEBP = { quality: 80, effort: 6 };

await using dataDir = await temporaryDirectory();
const site = await startProcess("server/build/site.js", {
  DATA_DIR: dataDir.path,
  STAFF_EMAIL: STAFF.email,
  STAFF_PASSWORD: STAFF.password,
});
const browser = await launchBrowser();
try {
  await mkdir(DIRECTORY, { recursive: true });
  for (const viewport of VIEWPORTS) await photograph({ viewport }, String(viewport.width));
  await photograph({ viewport: DESK, colorScheme: "dark" }, "dark");
} finally {
  await browser.close();
  await site.stop();
}

async function photograph(options: BrowserContextOptions, ending: string): Promise<void> {
  const context = await browser.newContext({ baseURL: site.url, userAgent: PERSON, reducedMotion: "reduce", ...options });
  await context.addInitScript("localStorage.setItem('visit-notice-read', '1')");
  const page = await context.newPage();
  for (const [name, path] of Object.entries(PAGES)) {
    if (path === "/admin") await signIn(page);
    else await page.goto(path);
    await save(page, `${name}-${ending}`);
    if (name !== "blog") continue;
    await page.locator("article h2 a").first().click();
    await page.waitForLoadState();
    await save(page, `post-${ending}`);
  }
  await context.close();
}

async function signIn(page: Page): Promise<void> {
  await page.goto("/admin");
  await page.getByLabel("E-mail").fill(STAFF.email);
  await page.getByLabel("Password").fill(STAFF.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
  await page.getByRole("region", { name: "Website Statistics" }).getByRole("table").first().waitFor();
}

async function save(page: Page, name: string): Promise<void> {
  // The sky depends on the time of day; a fixed time keeps the screenshots stable.
  await page.evaluate("document.fonts.ready.then(() => document.querySelector('[data-light]')?.setAttribute('data-light', 'day'))");
  await writeFile(
    `${DIRECTORY}${name}.webp`,
    await sharp(await page.screenshot())
      .webp(WEBP)
      .toBuffer(),
  );
}
