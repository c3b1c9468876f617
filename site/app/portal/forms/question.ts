import type { Refusal } from "../frame/outcome.ts";

/** The field with the questions that were answered. */
const ANSWERED = "answered";

/** Returns a refusal that asks a question; null if the form answers this question. */
export function question(form: FormData, text: string, confirm: string): Refusal | null {
  return form.getAll(ANSWERED).includes(text) ? null : { ok: false, message: text, confirm };
}

/** Adds an answered question to a form. */
export function withAnswer(form: FormData, text: string): FormData {
  form.append(ANSWERED, text);
  return form;
}
