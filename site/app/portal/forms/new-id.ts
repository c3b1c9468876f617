import { textOf } from "./form-text.ts";

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

/** Returns random bytes in hexadecimal. `crypto.randomUUID` would fail on pages without TLS. */
export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
