import { textOf } from "../forms/form-text.ts";
import { checkNewPassword } from "../session/new-password.ts";
import { refused, type Checked } from "../frame/outcome.ts";

export interface FirstAccount {
  email: string;
  password: string;
}

/** Checks the form for the first account by the rules of the service. */
export function checkFirstAccount(form: FormData): Checked<FirstAccount> {
  const email = textOf(form, "email");
  if (email === "") return refused("Enter your e-mail address.", "email");
  const password = checkNewPassword(form);
  return password.ok ? { ok: true, value: { email, password: password.value } } : password;
}
