import { textOf } from "./form-text.ts";
import { randomHex } from "./random-hex.ts";

/** The hidden field with the id that a new record will have. */
export const NEW_ID = "new_id";

/** Chooses an id for a new record. */
export function newId(): string {
  return randomHex(16);
}

/** The id that the new record of a form will have; a fresh one if the form has none. */
export function newIdOf(form: FormData): string {
  return textOf(form, NEW_ID) || newId();
}
