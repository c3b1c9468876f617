/** Puts a no-break space between "Level" and its number, and between a number and its unit. */
export function noBreak(text: string): string {
  return text.replace(/\b(Level) (?=\d)/g, "$1\u00A0").replace(NUMBER_BEFORE_UNIT, "$1\u00A0");
}

const NUMBER_BEFORE_UNIT = /(\b\d+) (?=(?:days?|hours?|minutes|months?|years?|places?|learners|people|km)\b)/g;
