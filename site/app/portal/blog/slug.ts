/** Shorter than the column, so that a number fits behind it. */
const LONGEST = 200;

/**
 * Returns the slug of a title: lowercase, each run of other characters than a–z and 0–9 as one hyphen, none at the ends.
 * Empty for a title without such characters.
 */
export function slugOf(title: string): string {
  return trimHyphens(trimHyphens(title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")).slice(0, LONGEST));
}

/** Returns the slug, or the slug with the first of `-2`, `-3`, … that is not taken. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number += 1;
  return `${slug}-${number}`;
}

/** True if a slug is that of the title, with or without a number. */
export function isSlugOf(title: string, slug: string): boolean {
  const own = slugOf(title);
  return slug === own || (slug.startsWith(`${own}-`) && /^[1-9]\d*$/.test(slug.slice(own.length + 1)));
}

function trimHyphens(text: string): string {
  return text.replaceAll(/^-|-$/g, "");
}
