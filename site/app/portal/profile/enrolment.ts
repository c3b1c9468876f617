import { provider } from "content/provider.ts";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { textOf } from "../forms/form-text.ts";
import { done, refused, type Outcome, type Refusal } from "../frame/outcome.ts";
import { codeRefusal, proveFactor } from "../session/second-factor.ts";

/** A second factor that is not verified yet; its secret is shown only to the owner. */
export interface Enrolment {
  ok: true;
  id: string;
  /** An image as a data URL. */
  qr: string;
  secret: string;
}

const LONGEST_NAME = 60;

/** Starts the set-up of an authenticator app with the name of a form; deletes earlier unverified factors. */
export async function beginEnrolment(supabase: BrowserSupabase, form: FormData): Promise<Enrolment | Refusal> {
  const friendlyName = textOf(form, "device").slice(0, LONGEST_NAME);
  if (friendlyName === "") return refused("Give the device a name.", "device");
  await forgetUnproven(supabase);
  const { data, error } = await supabase.auth.mfa.enroll({ factorType: "totp", friendlyName, issuer: provider.name });
  if (error?.code === "mfa_factor_name_conflict") return refused("A device of this name is there already. Choose another.", "device");
  if (error) return refused(error.message);
  return { ok: true, id: data.id, qr: data.totp.qr_code, secret: data.totp.secret };
}

/** Completes the set-up with the first code of the app. */
export async function endEnrolment(supabase: BrowserSupabase, { id }: Enrolment, form: FormData): Promise<Outcome> {
  const outcome = await proveFactor(supabase, id, form);
  return outcome.ok ? done("Your second factor is set up. Other devices were signed out; the next sign-in asks for a code.") : outcome;
}

/** Removes a second factor of the own account. */
export async function removeFactor(supabase: BrowserSupabase, id: string): Promise<Outcome> {
  const { error } = await supabase.auth.mfa.unenroll({ factorId: id });
  if (error) return codeRefusal(error);
  // The token still contains the assurance level of the removed factor.
  await supabase.auth.refreshSession();
  return done("The second factor is removed.");
}

async function forgetUnproven(supabase: BrowserSupabase): Promise<void> {
  const { data } = await supabase.auth.mfa.listFactors();
  for (const { id, status } of data?.all ?? []) if (status === "unverified") await supabase.auth.mfa.unenroll({ factorId: id });
}
