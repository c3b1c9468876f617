import * as fc from "fast-check";

const LAST_CODE_POINT = 0x10ffff;
const [FIRST_SURROGATE, LAST_SURROGATE] = [0xd800, 0xdfff];

const character = fc
  .integer({ min: 0, max: LAST_CODE_POINT })
  .filter((code) => code < FIRST_SURROGATE || code > LAST_SURROGATE)
  .map((code) => String.fromCodePoint(code));

/**
 * Generates any text of at most `maxLength` characters of Unicode. `fc.string({ unit: "binary" })` would build a table of all
 * characters first, which takes up to three seconds in each process.
 */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc
    .array(fc.oneof(character, fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 })), { maxLength })
    .map((all) => all.join(""));
}
