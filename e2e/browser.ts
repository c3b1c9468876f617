import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

// What is there in a moment may take many where much runs beside it.
const PATIENCE_MS = 30_000;

// No phoning home, and able to run as root in a container; web security stays on.
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts the browser of the journeys: `CHROME_PATH`, else an installed Chrome or Chromium, else the one that comes by npm. */
export async function launchBrowser(): Promise<Browser> {
  const installed = process.env["CHROME_PATH"] ?? INSTALLED.find((path) => existsSync(path));
  if (installed !== undefined) return chromium.launch({ executablePath: installed, args: FLAGS });
  if (process.platform !== "linux") throw new Error("No Chrome or Chromium found: install one, or set CHROME_PATH to it.");
  return chromium.launch({ executablePath: await unpackChromium(), args: FLAGS, env: { ...process.env } });
}

/** Opens a page in a context of its own, as a browser that was never here before. */
export async function openPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  return context.newPage();
}

/** The browser a page is in, to open another person's page. */
export function browserOf(page: Page): Browser {
  const browser = page.context().browser();
  if (!browser) throw new Error("The browser is gone.");
  return browser;
}

/** Unpacks the Chromium of `@sparticuz/chromium` and the system libraries that a bare machine lacks. */
async function unpackChromium(): Promise<string> {
  const { default: packed, inflate, setupLambdaEnvironment } = await import("@sparticuz/chromium");
  const files = join(dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium"))), "..", "bin");
  await inflate(join(files, "al2023.tar.br"));
  setupLambdaEnvironment(join(tmpdir(), "al2023", "lib"));
  return packed.executablePath();
}
