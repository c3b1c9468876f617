import { lengthOf, textOf } from "../form-text.ts";
import { refused, type Checked } from "../outcome.ts";

export interface FirstAccount {
  email: string;
  password: string;
}

/** `minimum_password_length` of config.toml. */
export const SHORTEST_PASSWORD = 10;
/** What the service can store. */
const MOST_BYTES = 72;

/** Checks the form for the first account by the rules the service has too. */
export function checkFirstAccount(form: FormData): Checked<FirstAccount> {
  const email = textOf(form, "email");
  if (email === "") return refused("Enter your e-mail address.", "email");
  const password = passwordOf(form, "password");
  if (lengthOf(password) < SHORTEST_PASSWORD) return refused(`Choose a password of at least ${SHORTEST_PASSWORD} characters.`, "password");
  if (new TextEncoder().encode(password).length > MOST_BYTES)
    return refused(`Choose a password of at most ${MOST_BYTES} characters.`, "password");
  if (passwordOf(form, "repeat") !== password) return refused("The two passwords differ.", "repeat");
  return { ok: true, value: { email, password } };
}

/** As it was typed: spaces at the ends are part of a password. */
function passwordOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
