/** The values of the fields of a letter, by field. */
export type LetterValues = Readonly<Record<string, string>>;

/** The subject and text of a letter, with or without fields in braces. */
export interface LetterText {
  subject: string;
  body: string;
}

const FIELD = /\{([^{}]*)\}/g;

/** Replaces the fields of a template. The subject becomes one line. */
export function fillLetter({ subject, body }: LetterText, values: LetterValues): LetterText {
  const fill = (template: string): string => template.replace(FIELD, (_field, name: string) => values[name] ?? "");
  return { subject: fill(subject).replace(/\s+/g, " ").trim(), body: fill(body) };
}

/** Returns the error in the fields of a template, in words; null if all are known. */
export function fieldProblem(template: string, known: readonly string[]): string | null {
  const unknown = [...template.matchAll(FIELD)].map(([field, name = ""]) => ({ field, name })).find(({ name }) => !known.includes(name));
  const list = known.map((name) => `{${name}}`).join(", ");
  if (unknown) return `${unknown.field} is not a field of this letter. Use ${list}.`;
  return /[{}]/.test(template.replace(FIELD, "")) ? `A brace is missing. Write fields as ${list}.` : null;
}
