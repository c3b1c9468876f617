/** The texts on an Open Graph image. */
export interface OgImageText {
  siteName: string;
  title: string;
  byline: string;
  /** A picture of `site/public` beside the texts. */
  emblem?: `/images/${string}.svg`;
}

/** Matches a text whose characters are all in the fonts of Open Graph images; `scripts/subset-fonts.ts` reduces the fonts to these. */
export const DRAWABLE = /^[ -~¡-£¥-¬®-ćĊ-ēĖ-ěĞ-ģĦ-īĮ-ĳĶķĹ-ľŁ-ňŊ-ōŐ-śŞ-šŤťŨ-žƠơƯưǍǎȘ-țẀ-ẅẞẠ-ỹ–—‘-‚“-„†•…′″‹›⁄₩₫€₮₱₴₵₹₺₿ℓ™↑↓−]+$/u;

/**
 * Replaces characters that the fonts lack with similar ones and drops emoji and the like; null if that would lose letters or
 * digits, or leave nothing.
 */
export function drawable(text: string): string | null {
  const result = [];
  for (const character of text.normalize("NFC")) {
    const similar =
      [character, character.normalize("NFKC"), character.normalize("NFD").charAt(0)].find((one) => DRAWABLE.test(one)) ?? plain(character);
    if (similar === undefined && /[\p{L}\p{N}]/u.test(character)) return null;
    result.push(similar ?? "");
  }
  return result.join("").replace(/ +/g, " ").trim() || null;
}

function plain(character: string): string | undefined {
  if (/\s/u.test(character)) return " ";
  return /\p{Pd}/u.test(character) ? "-" : undefined;
}
