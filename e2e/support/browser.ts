import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

/** Chrome and Chromium on platforms for which npm has no browser. */
const INSTALLED = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

// Long enough for a busy machine.
const TIMEOUT_MS = 60_000;

// No background network requests, and able to run as root in a container; web security stays on.
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
// A test loads a page once or twice: both optimising compilers and frequent collections of new objects cost more than they save.
const SHORT_LIVED = ["--js-flags=--no-opt --no-maglev --min-semi-space-size=16"];
// Playwright keeps the memory that processes of the browser share in files on disk, because containers may have little memory for it.
const SHARED_ON_DISK = "--disable-dev-shm-usage";

/** Starts the test browser. A benchmark gets the usual settings of JavaScript. */
export async function launchBrowser(): Promise<Browser> {
  const args = process.env["VITEST"] === undefined ? FLAGS : [...FLAGS, ...SHORT_LIVED];
  const ignoreDefaultArgs = TEMPORARY_FILES === tmpdir() ? [] : [SHARED_ON_DISK];
  return chromium.launch({ executablePath: await findBrowser(), args, ignoreDefaultArgs, env: { ...process.env } });
}

/**
 * Finds the test browser: `CHROME_PATH`, else on Linux the Chromium from npm, elsewhere an installed Chrome or Chromium.
 * On Linux an installed browser is used only through `CHROME_PATH`, so every machine runs the same one by default.
 */
export async function findBrowser(): Promise<string> {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH !== undefined) return CHROME_PATH;
  if (process.platform === "linux") return unpackChromium();
  const installed = INSTALLED.find((path) => existsSync(path));
  if (installed === undefined) throw new Error("No Chrome or Chromium found: install one, or set CHROME_PATH to it.");
  return installed;
}

/** Opens a page in a fresh browser context, by default of a person who prefers reduced motion: moving pages use much processor time. */
export async function openPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(TIMEOUT_MS);
  return context.newPage();
}

/** The browser of a page, to open a page for another person. */
export function browserOf(page: Page): Browser {
  const browser = page.context().browser();
  if (!browser) throw new Error("The browser is closed.");
  return browser;
}

/** Unpacks the Chromium of `@sparticuz/chromium` with the system libraries that a bare machine lacks; returns its path. */
async function unpackChromium(): Promise<string> {
  const { default: packed, inflate, setupLambdaEnvironment } = await import("@sparticuz/chromium");
  // Vitest's module runner has no `import.meta.resolve` in a global setup.
  const files = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "..", "bin");
  await inflate(join(files, "al2023.tar.br"));
  setupLambdaEnvironment(join(tmpdir(), "al2023", "lib"));
  return packed.executablePath();
}
