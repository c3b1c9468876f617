/** A field of a form as text without spaces around it; empty where it is absent or a file. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** How long a text is as Postgres counts, in code points. */
export function lengthOf(text: string): number {
  return Array.from(text).length;
}
