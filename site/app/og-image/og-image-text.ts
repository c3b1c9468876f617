/** What the picture beside a link to a post says. */
export interface LinkWords {
  house: string;
  title: string;
  byline: string;
}

/** Letters and signs that the fonts of link pictures have (`scripts/subset-fonts.ts` cuts them to these). */
export const DRAWABLE = new RegExp(
  "^[ -~¡-£¥-¬®-ćĊ-ēĖ-ěĞ-ģĦ-īĮ-ĳĶķĹ-ľŁ-ňŊ-ōŐ-śŞ-šŤťŨ-žƠơƯưǍǎȘ-țẀ-ẅẞẠ-ỹ–—‘-‚“-„†•…′″‹›⁄₩₫€₮₱₴₵₹₺₿ℓ™↑↓−]+$",
  "u",
);

/**
 * A text in letters that can be drawn: likenesses take the place of those that cannot, emoji and the like go. Null where words
 * would be lost, or where nothing is left.
 */
export function drawable(text: string): string | null {
  const drawn = [];
  for (const sign of text.normalize("NFC")) {
    const likeness = [sign, sign.normalize("NFKC"), sign.normalize("NFD").charAt(0)].find((one) => DRAWABLE.test(one)) ?? plain(sign);
    if (likeness === undefined && /[\p{L}\p{N}]/u.test(sign)) return null;
    drawn.push(likeness ?? "");
  }
  return drawn.join("").replace(/ +/g, " ").trim() || null;
}

function plain(sign: string): string | undefined {
  if (/\s/u.test(sign)) return " ";
  return /\p{Pd}/u.test(sign) ? "-" : undefined;
}
