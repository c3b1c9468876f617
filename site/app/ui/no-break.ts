/** Puts a no-break space between "Level" and its number. */
export function noBreak(text: string): string {
  return text.replace(/\b(Level) (?=\d)/g, "$1\u00A0");
}
