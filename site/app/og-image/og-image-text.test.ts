import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { DRAWABLE, drawable } from "./og-image-text.ts";

const FONTS = new URL("../../../server/og-images/fonts/", import.meta.url);

test.each([
  ["Żółć & <b>Nguyễn</b>: “café” — £5…", "Żółć & <b>Nguyễn</b>: “café” — £5…"],
  ["  Kit\t🎉 bag\n👩‍⚕️ 🇬🇧 ", "Kit bag"],
  ["non\u2011breaking\u00A0space", "non-breaking space"],
  ["Ĉapelo, ﬁne, 𝗯𝗼𝗹𝗱, cafe\u0301", "Capelo, fine, bold, café"],
  ["turned\u202Eround \u0000and\u200B so", "turnedround and so"],
])("%j is rendered as %j", (text, rendered) => {
  expect(drawable(text)).toBe(rendered);
});

test.each(["Привет", "First aid 急救", "🎉", " ", "", "\uD800"])(
  "%j is not rendered, because letters would be missing or there are none",
  (text) => {
    expect(drawable(text)).toBeNull();
  },
);

test("the fonts contain every letter that is rendered, in both weights", async () => {
  for (const weight of ["600", "780"]) {
    const files = (await readdir(FONTS)).filter((name) => name.endsWith(`-${weight}.ttf`));
    const fonts = await Promise.all(files.map(async (name) => lettersOf(await readFile(new URL(name, FONTS)))));
    const letters = Array.from({ length: 0xffff }, (_, code) => code).filter((code) => DRAWABLE.test(String.fromCodePoint(code)));
    expect(letters.length).toBeGreaterThan(400);
    expect(letters.filter((code) => !fonts.some((font) => font.has(code)))).toEqual([]);
  }
});

/** The code points below 0x10000 that a TrueType font has (its `cmap` of format 4). */
function lettersOf(font: Buffer): Set<number> {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + index * 16);
  const cmap = font.readUInt32BE((tables.find((at) => font.toString("latin1", at, at + 4) === "cmap") ?? 0) + 8);
  const encodings = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, index) => cmap + font.readUInt32BE(cmap + 8 + index * 8));
  const table = encodings.find((at) => font.readUInt16BE(at) === 4) ?? 0;
  const bytes = font.readUInt16BE(table + 6);
  const letters = new Set<number>();
  for (let at = table + 14; at < table + 14 + bytes; at += 2) {
    const [last, first] = [font.readUInt16BE(at), font.readUInt16BE(at + bytes + 2)];
    for (let code = first; code <= last && code < 0xffff; code += 1) letters.add(code);
  }
  return letters;
}
