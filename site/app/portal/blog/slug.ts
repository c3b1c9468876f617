/** Shorter than the column, so that a suffix always fits. */
const LONGEST = 200;

/**
 * The last part of a post's address, made from its title: lowercase, each run of anything but a–z and 0–9 one hyphen, none at the ends.
 * Empty for a title without any of them.
 */
export function slugOf(title: string): string {
  return trimHyphens(trimHyphens(title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")).slice(0, LONGEST));
}

/** The slug itself, or with the first of `-2`, `-3`, … that makes it one nobody has. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number += 1;
  return `${slug}-${number}`;
}

/** Whether a slug is the one of the title, as it is or with a number: then it follows the title. */
export function isSlugOf(title: string, slug: string): boolean {
  const own = slugOf(title);
  return slug === own || (slug.startsWith(`${own}-`) && /^[1-9]\d*$/.test(slug.slice(own.length + 1)));
}

function trimHyphens(text: string): string {
  return text.replaceAll(/^-|-$/g, "");
}
