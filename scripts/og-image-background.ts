import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import sharp from "sharp";

// Renders the background of Open Graph images, the foreground of the hills under the sky of the home page:
// `CHROME_PATH=/usr/bin/chromium node scripts/og-image-background.ts`, after the hills or the mark have changed.

const PUBLIC = new URL("../site/public/", import.meta.url);
const { CHROME_PATH: executablePath = "/usr/bin/chromium" } = process.env;

const ridges = await readFile(new URL("images/ridges.svg", PUBLIC), "utf8");
const mark = await readFile(new URL("favicon.svg", PUBLIC), "utf8");
const browser = await chromium.launch({ executablePath, args: ["--headless", "--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
// The hills are lower than on the home page, to leave more space for text in the sky.
await page.setContent(`<!doctype html><style>
  body { margin: 0; height: 630px; overflow: hidden; background: linear-gradient(#bfdbe6, #f6f2e4 70%) }
  .ridges svg { position: absolute; inset: auto 0 -40px; width: 1200px; height: 390px }
  .mark svg { position: absolute; top: 60px; left: 72px; width: 56px; height: 56px }
</style><div class="ridges">${ridges}</div><div class="mark">${mark}</div>`);
await sharp(await page.screenshot({ type: "png" }))
  .webp({ lossless: true, effort: 6 })
  .toFile(fileURLToPath(new URL("../server/og-images/background.webp", import.meta.url)));
await browser.close();
