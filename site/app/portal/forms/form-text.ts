/** Returns the trimmed text of a field; empty if the field is missing or a file. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** "booking for Ada Fell"; without a name "booking". */
export function subject(noun: string, name: string): string {
  return name.trim() === "" ? noun : `${noun} for ${name.trim()}`;
}

/** Counts the code points of a text, as Postgres does. */
export function lengthOf(text: string): number {
  return Array.from(text).length;
}
