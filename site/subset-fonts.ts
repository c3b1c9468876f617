import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import subsetFont from "subset-font";

// Cuts the fonts of the house down to what English pages need, into app/fonts: half the bytes before the first page looks as it
// should. Run `node site/subset-fonts.ts` after a new version of a font; theme.css names the files and the rest of each font beside them.

const LETTERS = String.fromCodePoint(...Array.from({ length: 95 }, (_, index) => 0x20 + index));
const SIGNS = "\u00A0£©·×½–—‘’“”•…€←→−";
const fonts = [
  { name: "bricolage-grotesque", wght: { min: 600, max: 800 } },
  { name: "atkinson-hyperlegible-next", wght: { min: 400, max: 700 } },
];

const { resolve } = createRequire(import.meta.url);
for (const { name, wght } of fonts) {
  const whole = await readFile(resolve(`@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`));
  const subset = await subsetFont(whole, LETTERS + SIGNS, { targetFormat: "woff2", variationAxes: { wght } });
  await writeFile(join(import.meta.dirname, "app/fonts", `${name}-english.woff2`), subset);
}
