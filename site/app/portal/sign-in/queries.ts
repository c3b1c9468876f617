import type { GoTrueClient } from "@supabase/auth-js";
import { textOf } from "../forms/form-text.ts";
import { done, refused, type Outcome } from "../frame/outcome.ts";

const FALLBACK = "Login failed. Please check your credentials.";

/** Signs in with the e-mail and password of a form. */
export async function signIn(auth: GoTrueClient, form: FormData): Promise<Outcome> {
  const email = textOf(form, "email");
  const password = form.get("password");
  if (email === "") return refused("Enter your e-mail address.", "email");
  if (typeof password !== "string" || password === "") return refused("Enter your password.", "password");
  const { error } = await auth.signInWithPassword({ email, password });
  if (!error) return done("You are signed in.");
  return refused(loginMessage(error.message), error.code === "invalid_credentials" ? "password" : undefined);
}

/** Returns the message of the service, or a default; auth-js reports "{}" if the response has no message. */
export function loginMessage(serviceMessage: string): string {
  return serviceMessage === "" || serviceMessage === "{}" ? FALLBACK : serviceMessage;
}
