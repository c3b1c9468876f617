const TOKEN = /\\.|\*\*|\[!?[^\]]+\]|[\s\S]/g;

/** A character of a glob; one that repeats stands for any number of characters. */
interface Step {
  takes: (char: string) => boolean;
  repeats: boolean;
}

/**
 * Compiles a pattern of the CLI (gobwas/glob with "." and "/" as separators): `*` and `?` stop at a separator, `**` does
 * not; `[a-z]`, `[!a]`, `{a,b}` and `\` work. picomatch is no replacement: its `*` cannot stop at ".". The time of a match
 * grows with the product of both lengths, whatever the pattern; a regular expression with three `**` takes cubic time.
 */
export function compileGlob(pattern: string): (text: string) => boolean {
  const alternatives = readAlternatives(pattern.match(TOKEN) ?? [], false).map((tokens) => tokens.map(toStep));
  return (text) => alternatives.some((steps) => matches(steps, text));
}

/** Reads the tokens up to the closing brace and expands `{a,b}` to one list of tokens for each alternative. */
function readAlternatives(tokens: string[], nested: boolean): string[][] {
  const complete: string[][] = [];
  let current: string[][] = [[]];
  for (let token = tokens.shift(); token !== undefined && !(nested && token === "}"); token = tokens.shift()) {
    if (nested && token === ",") {
      complete.push(...current);
      current = [[]];
    } else {
      const endings = token === "{" ? readAlternatives(tokens, true) : [[token]];
      current = current.flatMap((start) => endings.map((ending) => start.concat(ending)));
    }
  }
  return [...complete, ...current];
}

function toStep(token: string): Step {
  if (token === "**") return { takes: () => true, repeats: true };
  if (token === "*" || token === "?") return { takes: (char) => char !== "." && char !== "/", repeats: token === "*" };
  if (token.length > 1 && token.startsWith("[")) return { takes: classOf(token), repeats: false };
  const literal = token.length > 1 ? token.slice(1) : token;
  return { takes: (char) => char === literal, repeats: false };
}

function classOf(token: string): Step["takes"] {
  const isNegated = token.startsWith("[!");
  const ranges = Array.from(token.slice(isNegated ? 2 : 1, -1).matchAll(/(.)-(.)|(.)/gs), ([one, low = one, high = one]) => [low, high]);
  return (char) => ranges.some(([low = "", high = ""]) => low <= char && char <= high) !== isNegated;
}

/** Follows all ways to match at once, as the set of steps that the next character may be for. */
function matches(steps: readonly Step[], text: string): boolean {
  let positions = new Set<number>();
  const reach = (reached: Set<number>, position: number): void => {
    reached.add(position);
    if (steps[position]?.repeats === true) reach(reached, position + 1);
  };
  reach(positions, 0);
  for (const char of text) {
    const next = new Set<number>();
    for (const position of positions) {
      const step = steps[position];
      if (step?.takes(char) === true) reach(next, step.repeats ? position : position + 1);
    }
    if (next.size === 0) return false;
    positions = next;
  }
  return positions.has(steps.length);
}
