import * as fc from "fast-check";

const LAST_CODE_POINT = 0x10ffff;
const [FIRST_SURROGATE, LAST_SURROGATE] = [0xd800, 0xdfff];

const character = fc
  .integer({ min: 0, max: LAST_CODE_POINT })
  .filter((code) => code < FIRST_SURROGATE || code > LAST_SURROGATE)
  .map((code) => String.fromCodePoint(code));

/**
 * Any text of Unicode characters. The same as `fc.string({ unit: "binary" })`, which takes a second in each process that uses it
 * first, for a table of all characters.
 */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc
    .array(fc.oneof(character, fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 })), { maxLength })
    .map((all) => all.join(""));
}
