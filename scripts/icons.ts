import { readFile, writeFile } from "node:fs/promises";
import sharp from "sharp";

// Renders the icons for clients that show no SVG from site/public/favicon.svg: `node scripts/icons.ts`, after the logo has changed.

const PUBLIC = new URL("../site/public/", import.meta.url);
const PAPER = "#fbfaf6";

const mark = await readFile(new URL("favicon.svg", PUBLIC));
for (const size of [192, 512]) await writeFile(new URL(`icon-${size}.png`, PUBLIC), await renderIcon(size));
// Phones crop a maskable icon to their own shape: the mark is within its safe zone, a circle of 80 %.
await writeFile(new URL("icon-maskable-512.png", PUBLIC), await renderPadded(512, 96));
// Phones round the corners themselves, and fill transparent areas with black.
await writeFile(new URL("apple-touch-icon.png", PUBLIC), await renderPadded(180, 18));
await writeFile(new URL("favicon.ico", PUBLIC), iconFile(await renderIcon(48), 48));

function renderIcon(size: number): Promise<Buffer> {
  return sharp(mark, { density: (72 * size) / 32 })
    .resize(size, size)
    .png({ palette: true })
    .toBuffer();
}

async function renderPadded(size: number, margin: number): Promise<Buffer> {
  return sharp(await renderIcon(size - 2 * margin))
    .extend({ top: margin, bottom: margin, left: margin, right: margin, background: PAPER })
    .flatten({ background: PAPER })
    .png({ palette: true })
    .toBuffer();
}

/** A file of one icon, a PNG: https://learn.microsoft.com/en-us/previous-versions/ms997538(v=msdn.10) */
function iconFile(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}
