import { href } from "react-router";
import { publishableKey } from "../../supabase/publishable-key.client.ts";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { textOf } from "../forms/form-text.ts";
import { checkNewPassword } from "../session/new-password.ts";
import { done, refused, type Outcome } from "../frame/outcome.ts";
import type { LinkToken } from "./link-token.ts";

const SPENT = "This link has expired or was used before. Ask for a new one.";
const ADDRESS = /^[^\s@]+@[^\s@]+$/;
const CODE = /^\d{6,10}$/;

/** Explains why a link cannot be redeemed. */
export function linkRefusal(code: string | undefined): Outcome {
  if (code === "user_banned") return refused("This account is disabled. Please speak to a colleague.");
  if (code === "otp_expired") return refused(SPENT);
  return refused("This link could not be opened. Please try again.");
}

/** Signs in with the token of a link, which works once. */
export async function redeemLink({ auth }: BrowserSupabase, { type, token_hash }: LinkToken): Promise<Outcome> {
  const { error } = await auth.verifyOtp({ type, token_hash });
  return error ? linkRefusal(error.code) : done("The link is valid.");
}

/** Confirms a changed e-mail address without a sign-in: the browser keeps its own session, if any. */
export async function confirmAddress({ auth }: BrowserSupabase, linkToken: LinkToken): Promise<Outcome> {
  const response = await fetch("/auth/v1/verify", {
    method: "POST",
    headers: { apikey: publishableKey(), "Content-Type": "application/json", "X-Supabase-Api-Version": "2024-01-01" },
    body: JSON.stringify(linkToken),
  });
  const body: Partial<Record<"access_token" | "code", string>> = await response.json();
  if (!response.ok) return linkRefusal(body.code);
  if (body.access_token === undefined) return done("This address is confirmed. Now open the link in the mail to the other address.");
  await auth.admin.signOut(body.access_token, "local");
  const { data } = await auth.getSession();
  if (data.session) await auth.refreshSession();
  return done("Your new address is confirmed. You sign in with it from now on.");
}

/** Requests a mail with a link and a code. The response is the same whether or not an account has the address. */
export async function requestLink({ auth }: BrowserSupabase, form: FormData): Promise<Outcome> {
  const email = textOf(form, "email");
  if (!ADDRESS.test(email)) return refused("Enter your e-mail address.", "email");
  const { error } = await auth.resetPasswordForEmail(email, { redirectTo: `${location.origin}/admin/password` });
  if (!error)
    return done("If an account has this address, a mail with a link is on its way. Open the link, or enter the code from the mail here.");
  if (error.status === 429) return refused("Too many mails were requested just now. Look in your mailbox, or try again in a minute.");
  return refused(error.message);
}

/** Signs in with the code from a mail. */
export async function redeemCode({ auth }: BrowserSupabase, form: FormData): Promise<Outcome> {
  const email = textOf(form, "email");
  if (!ADDRESS.test(email)) return refused("Enter your e-mail address.", "email");
  const token = textOf(form, "code").replaceAll(/[\s-]/g, "");
  if (!CODE.test(token)) return refused("Enter the digits of the code in the mail.", "code");
  // The type "email" accepts the codes of invitations and of resets.
  const { error } = await auth.verifyOtp({ type: "email", email, token });
  return error ? mailedCodeRefusal(error) : done("The code is valid.");
}

/** Explains why the service refused the code from a mail. */
export function mailedCodeRefusal({
  code,
  status,
  message,
}: {
  code?: string | undefined;
  status?: number | undefined;
  message: string;
}): Outcome {
  if (code === "otp_expired")
    return refused("This code is wrong, has expired or belongs to another address. Only the code of the latest mail works.", "code");
  if (status === 429) return refused("Too many tries. Wait a minute, then enter the code again.", "code");
  return code === "user_banned" ? linkRefusal(code) : refused(message);
}

/** Sets the password of the signed-in account. */
export async function choosePassword(supabase: BrowserSupabase, form: FormData): Promise<Outcome> {
  const checked = checkNewPassword(form);
  if (!checked.ok) return checked;
  const { error } = await supabase.auth.updateUser({ password: checked.value });
  if (!error) return done("Your password is set.");
  if (error.code === "weak_password" || error.code === "same_password") return refused(error.message, "password");
  if (error.code === "current_password_required") {
    const next = { to: href("/admin/profile"), label: "Go to My profile" };
    return { ...refused("Your session was not opened by a link. Change your password under My profile."), next };
  }
  return error.name === "AuthSessionMissingError" ? refused(SPENT) : refused(error.message);
}
