import type { Refusal } from "../frame/outcome.ts";
import { textOf } from "./form-text.ts";

/** The field with the question that was answered. */
const ANSWERED = "answered";

/** Returns a refusal that asks a question; null if the form answers this question. */
export function question(form: FormData, text: string, confirm: string): Refusal | null {
  return textOf(form, ANSWERED) === text ? null : { ok: false, message: text, confirm };
}

/** Adds the answered question to a form. */
export function withAnswer(form: FormData, text: string): FormData {
  form.set(ANSWERED, text);
  return form;
}
