const LONGEST = 60;

/** The words of a text that differ from another's, in quotation marks and cut to a glance; "nothing" where it only lacks some. */
export function passage(text: string, other: string): string {
  const words = wordsOf(text);
  const others = wordsOf(other);
  const fewer = Math.min(words.length, others.length);
  let before = 0;
  while (before < fewer && words[before] === others[before]) before += 1;
  let after = 0;
  while (after < fewer - before && words.at(-1 - after) === others.at(-1 - after)) after += 1;
  const differing = words.slice(before, words.length - after).join(" ");
  if (differing === "") return "nothing";
  return differing.length <= LONGEST ? `“${differing}”` : `“${differing.slice(0, LONGEST - 1).trimEnd()}…”`;
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
