import { lengthOf } from "../forms/form-text.ts";
import { refused, type Checked } from "../frame/outcome.ts";

/** `minimum_password_length` of config.toml. */
export const SHORTEST_PASSWORD = 10;
/** What the service can store. */
const MOST_BYTES = 72;

/** Checks a password that was typed twice, by the rules the service has too. */
export function checkNewPassword(form: FormData): Checked<string> {
  const password = passwordOf(form, "password");
  if (lengthOf(password) < SHORTEST_PASSWORD) return refused(`Choose a password of at least ${SHORTEST_PASSWORD} characters.`, "password");
  if (new TextEncoder().encode(password).length > MOST_BYTES)
    return refused(`Choose a password of at most ${MOST_BYTES} characters.`, "password");
  if (passwordOf(form, "repeat") !== password) return refused("The two passwords differ.", "repeat");
  return { ok: true, value: password };
}

/** As it was typed: spaces at the ends are part of a password. */
export function passwordOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
