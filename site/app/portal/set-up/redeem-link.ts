import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import type { UsableToken } from "../session/link-token.ts";
import { checkNewPassword } from "../session/new-password.ts";
import { done, refused, type Outcome } from "../frame/outcome.ts";

const SPENT = "This link has expired or was used before. Ask a colleague to make you a new one, under Staff.";

/** Explains why a link cannot be redeemed. */
export function linkRefusal(code: string | undefined): Outcome {
  if (code === "user_banned") return refused("This account is disabled. Please speak to a colleague.");
  if (code === "otp_expired" || code === "session_not_found" || code === "refresh_token_not_found") return refused(SPENT);
  return refused("This link could not be opened. Please try again.");
}

/** Signs in with the token of a link, which works once. */
export async function redeemLink({ auth }: BrowserSupabase, linkToken: UsableToken): Promise<Outcome> {
  const { error } =
    linkToken.kind === "proof"
      ? await auth.verifyOtp({ type: linkToken.type, token_hash: linkToken.token_hash })
      : await auth.setSession(linkToken);
  return error ? linkRefusal(error.code) : done("The link is valid.");
}

/** Sets the password of the signed-in account. */
export async function choosePassword(supabase: BrowserSupabase, form: FormData): Promise<Outcome> {
  const checked = checkNewPassword(form);
  if (!checked.ok) return checked;
  const { error } = await supabase.auth.updateUser({ password: checked.value });
  if (!error) return done("Your password is set.");
  if (error.code === "weak_password" || error.code === "same_password") return refused(error.message, "password");
  return error.name === "AuthSessionMissingError" ? refused(SPENT) : refused(error.message);
}
