import { lengthOf } from "../forms/form-text.ts";
import { refused, type Checked } from "../frame/outcome.ts";

/** `minimum_password_length` of config.toml. */
export const SHORTEST_PASSWORD = 10;
/** The limit of the service. */
const MOST_BYTES = 72;

/** Validates a new password and its repetition by the rules of the service. */
export function checkNewPassword(form: FormData): Checked<string> {
  const password = passwordOf(form, "password");
  if (lengthOf(password) < SHORTEST_PASSWORD) return refused(`Choose a password of at least ${SHORTEST_PASSWORD} characters.`, "password");
  if (new TextEncoder().encode(password).length > MOST_BYTES)
    return refused(`Choose a password of at most ${MOST_BYTES} characters.`, "password");
  if (passwordOf(form, "repeat") !== password) return refused("The two passwords differ.", "repeat");
  return { ok: true, value: password };
}

/** Returns a password untrimmed, because spaces at its ends count. */
export function passwordOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
