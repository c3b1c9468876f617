import type { AuthError, Factor } from "@supabase/supabase-js";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { textOf } from "../forms/form-text.ts";
import { done, refused, type Outcome, type Refusal } from "../frame/outcome.ts";

const CODE = /^\d{6}$/;

/** Lists the verified second factors, the oldest first; empty if the service does not answer. */
export async function listFactors(supabase: BrowserSupabase): Promise<Factor[]> {
  const { data } = await supabase.auth.mfa.listFactors();
  return data?.totp ?? [];
}

/** Verifies the code of a form, which raises the assurance level of the session. */
export async function verifyFactor(supabase: BrowserSupabase, factorId: string, form: FormData): Promise<Outcome> {
  const code = textOf(form, "code").replaceAll(/\s/g, "");
  if (!CODE.test(code)) return refused("Enter the six digits your app shows.", "code");
  const { error } = await supabase.auth.mfa.challengeAndVerify({ factorId, code });
  return error ? codeRefusal(error) : done("Code accepted.");
}

/** The message for a code that the service refused. */
export function codeRefusal({ code, message }: AuthError): Refusal {
  switch (code) {
    case "mfa_verification_failed":
      return refused("That code is wrong or has expired. Enter the code your app shows now; each works once, for 30 seconds.", "code");
    case "over_request_rate_limit":
      return refused("Too many tries. Wait a minute, then enter a new code.", "code");
    case "mfa_factor_not_found":
      return refused("This sign-in code was turned off. Log out and sign in again.");
    default:
      return refused(message);
  }
}
