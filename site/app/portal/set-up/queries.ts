import { publishableKey } from "../../supabase/publishable-key.client.ts";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { textOf } from "../forms/form-text.ts";
import { done, refused, type Checked, type Outcome } from "../frame/outcome.ts";
import { checkNewPassword } from "../session/new-password.ts";

const API_VERSION = "2024-01-01";
const LINK_SPENT =
  "This set-up link has expired or was used before. Start the server again for a new one, or sign in if the account was created already.";
const FAILED = "The account could not be created. Please try again.";

/** Creates the first account with the token of a set-up link and signs it in. */
export async function createFirstAccount(supabase: BrowserSupabase, token: string, form: FormData): Promise<Outcome> {
  const checked = checkFirstAccount(form);
  if (!checked.ok) return checked;
  const response = await fetch("/auth/v1/setup", {
    method: "POST",
    headers: { apikey: publishableKey(), "Content-Type": "application/json", "X-Supabase-Api-Version": API_VERSION },
    body: JSON.stringify({ token, ...checked.value }),
  });
  const body: unknown = await response.json();
  if (!response.ok) return setUpRefusal(body);
  if (!isTokens(body)) return refused(FAILED);
  const { error } = await supabase.auth.setSession(body);
  return error ? refused(error.message) : done("The account is created.");
}

/** Checks the form for the first account by the rules of the service. */
export function checkFirstAccount(form: FormData): Checked<{ email: string; password: string }> {
  const email = textOf(form, "email");
  if (email === "") return refused("Enter your e-mail address.", "email");
  const password = checkNewPassword(form);
  return password.ok ? { ok: true, value: { email, password: password.value } } : password;
}

/** The message for a response that is not a session. */
export function setUpRefusal(body: unknown): Outcome {
  if (!isRecord(body) || typeof body["message"] !== "string") return refused(FAILED);
  if (body["code"] === "otp_expired") return refused(LINK_SPENT);
  return refused(body["message"], body["code"] === "weak_password" ? "password" : undefined);
}

function isTokens(value: unknown): value is { access_token: string; refresh_token: string } {
  return isRecord(value) && typeof value["access_token"] === "string" && typeof value["refresh_token"] === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
