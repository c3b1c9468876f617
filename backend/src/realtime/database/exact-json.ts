declare global {
  interface JSON {
    // TypeScript 7.0 does not declare these.
    parse(text: string, reviver: (key: string, value: unknown, context: { source: string }) => unknown): unknown;
    rawJSON(text: string): object;
  }
}

/** Numbers that JavaScript may write in another way: of 16 digits or more, or with zeros after their point. They may be inside of a text. */
const INEXACT = [/[ []-?\d[\d.]{15}/, /[ [](?:-?\d+\.\d*0|-0)/];

/** Longer texts are parsed as usual: reading each number of 500 KB would block the process for half a second. */
const LONGEST = 20_000;

/**
 * Parses JSON that PostgreSQL wrote from jsonb. A number that JavaScript would write in another way becomes raw JSON, so that a client of
 * another language receives all of its digits; not in a text of more than 20,000 characters.
 */
export function parseExact(text: string): unknown {
  return text.length <= LONGEST && INEXACT.some((number) => number.test(text)) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(_key: string, value: unknown, { source }: { source: string }): unknown {
  return typeof value === "number" && String(value) !== source ? JSON.rawJSON(source) : value;
}
