import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { categories } from "content/categories.ts";
import { courses } from "content/courses/index.ts";
import { chromium, type PageScreenshotOptions } from "playwright-core";
import sharp from "sharp";

// Renders the Open Graph images: one for each course, one for all other pages,
// and the background for the titles of posts (server/og-images):
// `CHROME_PATH=/usr/bin/chromium node scripts/og-images.ts`, after a title or an emblem has changed.
// They name no provider, price or date, so they stay valid.

const PUBLIC = new URL("../site/public/", import.meta.url);
const FONT = new URL(import.meta.resolve("@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2"));
const { CHROME_PATH: executablePath = "/usr/bin/chromium" } = process.env;

const browser = await chromium.launch({ executablePath, args: ["--headless", "--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
const font = (await readFile(FONT)).toString("base64");
const ridges = await readFile(new URL("images/ridges.svg", PUBLIC), "utf8");
const mark = await readFile(new URL("favicon.svg", PUBLIC), "utf8");
await mkdir(new URL("social/", PUBLIC), { recursive: true });

await renderImage("site", "Security and first-aid training", "", "");
for (const { id, title, category, image } of courses) {
  const label = categories.find((known) => known.id === category)?.label ?? "";
  await renderImage(id, title, label, await readFile(new URL(image.slice(1), PUBLIC), "utf8"));
}
// Lower, to leave more space for text in the sky.
const ground = await picture(".ridges svg { bottom: -40px }", `<div class="mark">${mark}</div>`, { type: "png" });
await sharp(ground)
  .webp({ lossless: true, effort: 6 })
  .toFile(fileURLToPath(new URL("../server/og-images/background.webp", import.meta.url)));
await browser.close();

async function renderImage(name: string, title: string, label: string, emblem: string): Promise<void> {
  const style = `
    main { width: ${emblem === "" ? 1050 : 780}px }
    h1 { font-size: ${title.length > 30 ? 76 : 92}px }`;
  const text = `<div class="emblem">${emblem}</div><main><p>${escaped(label)}</p><h1>${escaped(title)}</h1></main>`;
  await writeFile(new URL(`social/${name}.jpg`, PUBLIC), await picture(style, text, { type: "jpeg", quality: 80 }));
}

/** The foreground of the hills, under the sky of the home page. */
async function picture(style: string, html: string, options: PageScreenshotOptions): Promise<Buffer> {
  await page.setContent(`<!doctype html><style>
    @font-face { font-family: Heading; font-weight: 200 800; src: url(data:font/woff2;base64,${font}) }
    body { margin: 0; height: 630px; overflow: hidden; background: linear-gradient(#bfdbe6, #f6f2e4 70%); color: #14202b; font-family: Heading }
    .ridges svg { position: absolute; inset: auto 0 0; width: 1200px; height: 390px }
    .emblem svg { position: absolute; top: 64px; right: 64px; width: 250px; height: 250px }
    .mark svg { position: absolute; top: 60px; left: 72px; width: 56px; height: 56px }
    main { position: absolute; top: 70px; left: 72px }
    h1 { margin: 0; font-weight: 780; line-height: 1; letter-spacing: -0.03em; text-wrap: balance }
    p { margin: 0 0 18px; font-size: 32px; font-weight: 600 }
    ${style}
  </style><div class="ridges">${ridges}</div>${html}`);
  await page.evaluate("document.fonts.ready");
  return page.screenshot(options);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
