import type { TextChange } from "../editor/formatting.ts";

/** Puts a picture where the cursor of a text is, a paragraph of its own, and leaves the cursor behind it. */
export function insertion(text: string, from: number, to: number, picture: string): TextChange {
  const before = text.slice(0, from);
  const after = text.slice(to);
  const whole = `${"\n".repeat(before === "" ? 0 : missing(before.match(/(?<!\n)\n*$/)))}${picture}${"\n".repeat(missing(after.match(/^\n*/)))}`;
  const end = from + whole.length;
  return { from, to, text: whole, start: end, end };
}

/** How many line breaks a blank line still needs. */
function missing(breaks: RegExpMatchArray | null): number {
  return Math.max(0, 2 - (breaks?.[0].length ?? 0));
}
