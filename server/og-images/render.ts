import { fileURLToPath } from "node:url";
import { escapeHtml } from "backend/escape-html.ts";
import sharp from "sharp";
import type { OgImageText } from "site/app/og-image/og-image-text.ts";

const BACKGROUND = fileURLToPath(new URL("./background.webp", import.meta.url));
// Both weights of the headings have this family name; fonts.conf allows no other font.
const FONT = "Bricolage Grotesque 96pt ExtraBold";
const INK = "#14202b";

const SITE_NAME = { left: 146, top: 75, width: 900, height: 34 };
const TITLE = { left: 72, top: 146, width: 1056, height: 200 };
const BYLINE = { gap: 22, size: 30, width: 600 };
// Beside an emblem, which leaves less width, the byline has the price and is larger.
const EMBLEM = { left: 886, top: 64, size: 250 };
const BESIDE_EMBLEM = { title: 790, byline: { gap: 26, size: 42, width: 790 } };
const PUBLIC = fileURLToPath(new URL("../../site/public", import.meta.url));
const TITLE_SIZES = [92, 76, 64, 54, 46, 42];

interface Line {
  words: string;
  size: number;
  weight: 600 | 780;
  width: number;
}

interface TextImage {
  input: Buffer;
  size: number;
  width: number;
  height: number;
}

/** Renders an Open Graph image, 1200 by 630 pixels, as JPEG; every text must be `drawable`. */
export async function run({ siteName, title, byline, emblem }: OgImageText): Promise<Uint8Array> {
  const name = await inOneLine({ words: siteName, size: 34, weight: 600, width: SITE_NAME.width });
  const heading = await renderTitle(title, emblem ? BESIDE_EMBLEM.title : TITLE.width);
  const lines = Math.round(heading.height / heading.size) * heading.size;
  const { gap, size, width } = emblem ? BESIDE_EMBLEM.byline : BYLINE;
  const foot = await inOneLine({ words: byline, size, weight: 600, width });
  return sharp(BACKGROUND)
    .composite([
      { input: name.input, left: SITE_NAME.left, top: SITE_NAME.top },
      { input: heading.input, left: TITLE.left, top: TITLE.top },
      { input: foot.input, left: TITLE.left, top: TITLE.top + Math.max(lines, heading.height) + gap },
      ...(emblem ? [{ input: await renderEmblem(PUBLIC + emblem), left: EMBLEM.left, top: EMBLEM.top }] : []),
    ])
    .jpeg({ quality: 82, mozjpeg: true })
    .toBuffer();
}

function renderEmblem(file: string): Promise<Buffer> {
  return sharp(file, { density: 144 }).resize(EMBLEM.size, EMBLEM.size).png().toBuffer();
}

/** Uses the largest size that fits; shortens the title if the smallest size is too large. */
async function renderTitle(title: string, width: number): Promise<TextImage> {
  for (const size of TITLE_SIZES) {
    const line: Line = { words: title, size, weight: 780, width };
    const image = await renderText(line);
    if (image.height <= TITLE.height) return balanced(line, image);
  }
  return shortened({ words: title, size: TITLE_SIZES.at(-1) ?? 0, weight: 780, width }, TITLE.height);
}

/** Balances the lines: the narrowest width with the same number of lines. */
async function balanced(line: Line, widest: TextImage): Promise<TextImage> {
  let best = widest;
  let [narrow, wide] = [line.width / 2, widest.width];
  while (wide - narrow > 16) {
    const width = Math.round((narrow + wide) / 2);
    const image = await renderText({ ...line, width });
    const fits = image.width <= width && image.height < widest.height + line.size / 2;
    if (fits) [best, wide] = [image, width];
    else narrow = width;
  }
  return best;
}

async function inOneLine(line: Line): Promise<TextImage> {
  return shortened(line, line.size * 1.5);
}

/** Renders as many words from the start as fit into a height. */
async function shortened(line: Line, height: number): Promise<TextImage> {
  const whole = await renderText(line);
  if (whole.height <= height) return whole;
  let best: TextImage | undefined;
  let [fits, tooLong] = [0, line.words.length];
  while (tooLong - fits > 1) {
    const length = Math.floor((fits + tooLong) / 2);
    const image = await renderText({ ...line, words: `${line.words.slice(0, length).trimEnd()}…` });
    if (image.height <= height) [best, fits] = [image, length];
    else tooLong = length;
  }
  return best ?? whole;
}

async function renderText({ words, size, weight, width }: Line): Promise<TextImage> {
  const tracking = Math.round((weight === 780 ? -0.03 : -0.01) * size * 1024);
  const look = `font_family="${FONT}" font_weight="${weight}" font_size="${size}pt" letter_spacing="${tracking}" line_height="0.84" foreground="${INK}"`;
  const text = `<span ${look}>${escapeHtml(words)}</span>`;
  const { data, info } = await sharp({ text: { text, width, rgba: true, dpi: 72, wrap: "word-char" } })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { input: data, size, width: info.width, height: info.height };
}
