/** The text if it fits into `limit` characters, otherwise its beginning up to a word, with an ellipsis. */
export function excerpt(text: string, limit: number): string {
  const whole = text.replace(/\s+/g, " ").trim();
  if (whole.length <= limit) return whole;
  const room = whole.slice(0, limit);
  const lastSpace = room.lastIndexOf(" ");
  // A single word that is too long is cut inside.
  const cut = lastSpace > 0 ? room.slice(0, lastSpace) : whole.slice(0, limit - 1);
  return `${cut.replace(/(?<![\s,;:.–—-])[\s,;:.–—-]+$/, "")}…`;
}
