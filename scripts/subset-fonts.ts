import { copyFile, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import subsetFont from "subset-font";
import { DRAWABLE } from "../site/app/og-image/og-image-text.ts";

// Subsets the fonts of the site; run `node scripts/subset-fonts.ts` after a new version of a font (decision 017).

const SITE = join(import.meta.dirname, "../site");
const { resolve } = createRequire(import.meta.url);

await subsetForPages();
await subsetForOgImages();

/**
 * Writes the characters of English pages into app/fonts: half the bytes of the full fonts. theme.css names these files and the full
 * fonts. The text takes its figures from the font of the headings, because its own zero is slashed.
 */
async function subsetForPages(): Promise<void> {
  const letters = String.fromCodePoint(...Array.from({ length: 95 }, (_, index) => 0x20 + index));
  const signs = "\u00A0£©·×½–—‘’“”•…›€−";
  const fonts = [
    { name: "bricolage-grotesque", part: "english", characters: letters + signs, wght: 700 },
    { name: "bricolage-grotesque", part: "figures", characters: "£0123456789", wght: { min: 400, max: 700 } },
    { name: "atkinson-hyperlegible-next", part: "english", characters: letters + signs, wght: { min: 400, max: 700 } },
  ];
  for (const { name, part, characters, wght } of fonts) {
    const subset = await subsetFont(await wholeFont(name, "latin"), characters, { targetFormat: "woff2", variationAxes: { wght } });
    await writeFile(join(SITE, "app/fonts", `${name}-${part}.woff2`), subset);
  }
}

/** Writes the two weights of Open Graph images into server/og-images/fonts, as TrueType files with one weight each, the format the renderer reads. */
async function subsetForOgImages(): Promise<void> {
  const directory = join(import.meta.dirname, "../server/og-images/fonts");
  const name = "bricolage-grotesque";
  const letters = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code)).filter((letter) => DRAWABLE.test(letter));
  for (const script of ["latin", "latin-ext", "vietnamese"]) {
    for (const wght of [600, 780]) {
      const subset = await subsetFont(await wholeFont(name, script), letters.join(""), { targetFormat: "sfnt", variationAxes: { wght } });
      await writeFile(join(directory, `${name}-${script}-${wght}.ttf`), subset);
    }
  }
  await copyFile(join(SITE, `app/fonts/${name}-license.txt`), join(directory, `${name}-license.txt`));
}

function wholeFont(name: string, script: string): Promise<Buffer> {
  return readFile(resolve(`@fontsource-variable/${name}/files/${name}-${script}-wght-normal.woff2`));
}
