/** The text as it is when it fits, otherwise its beginning cut at a word, with an ellipsis; never longer than `limit` characters. */
export function excerpt(text: string, limit: number): string {
  const whole = text.replace(/\s+/g, " ").trim();
  if (whole.length <= limit) return whole;
  const room = whole.slice(0, limit);
  const lastSpace = room.lastIndexOf(" ");
  // A single word longer than the room is cut where it must be.
  const cut = lastSpace > 0 ? room.slice(0, lastSpace) : whole.slice(0, limit - 1);
  return `${cut.replace(/(?<![\s,;:.–—-])[\s,;:.–—-]+$/, "")}…`;
}
