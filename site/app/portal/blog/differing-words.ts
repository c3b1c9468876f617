const LONGEST = 60;

/** Quotes and shortens the words of a text that another version of it does not have; "nothing" if there are none. */
export function differingWords(text: string, other: string): string {
  const words = text.split(/\s+/).filter(Boolean);
  const others = other.split(/\s+/).filter(Boolean);
  const fewer = Math.min(words.length, others.length);
  let before = 0;
  while (before < fewer && words[before] === others[before]) before += 1;
  let after = 0;
  while (after < fewer - before && words.at(-1 - after) === others.at(-1 - after)) after += 1;
  const differing = words.slice(before, words.length - after).join(" ");
  if (differing === "") return "nothing";
  return differing.length <= LONGEST ? `“${differing}”` : `“${differing.slice(0, LONGEST - 1).trimEnd()}…”`;
}
