import { href } from "react-router";
import { provider } from "content/provider.ts";
import type { AuthError, Factor } from "@supabase/supabase-js";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { lengthOf, textOf } from "../forms/form-text.ts";
import { checkNewPassword, passwordOf } from "../session/new-password.ts";
import { codeRefusal, verifyFactor } from "../session/second-factor.ts";
import { done, refused, type Loaded, type Outcome, type Refusal } from "../frame/outcome.ts";
import { ALL, jsonRows, readList } from "../lists/read-list.ts";

/** A session of the signed-in account. */
export interface OwnSession {
  id: string;
  user_agent: string;
  created_at: string;
  used_at: string;
  /** True for the current session. */
  this: boolean;
}

/** The signed-in account. */
interface Profile {
  name: string;
  email: string;
  /** An address that is not confirmed yet. */
  newEmail: string | undefined;
  factors: readonly Factor[];
  /** True if a new password needs the current one: not in a session that a mailed link or code opened. */
  needsPassword: boolean;
}

/** A second factor that is not verified yet; its secret is shown only to the owner. */
export interface Enrolment {
  ok: true;
  id: string;
  /** An image as a data URL. */
  qr: string;
  secret: string;
}

/** The methods of a session that a link or code opened, for which the service does not ask for the current password. */
const LINK_METHODS = new Set(["otp", "magiclink", "recovery"]);

const LONGEST_NAME = 120;
const LONGEST_DEVICE_NAME = 60;

/** Reads the account from the service; the copy in the session may be an hour old. */
export async function readProfile(supabase: BrowserSupabase): Promise<Profile | null> {
  const [{ data }, level] = await Promise.all([supabase.auth.getUser(), supabase.auth.mfa.getAuthenticatorAssuranceLevel()]);
  if (!data.user) return null;
  const methods = level.data?.currentAuthenticationMethods.map((entry) => (typeof entry === "string" ? entry : entry.method)) ?? [];
  const { user_metadata: metadata, email = "", new_email: newEmail, factors = [] } = data.user;
  const name: unknown = metadata["display_name"];
  return {
    name: typeof name === "string" ? name : "",
    email,
    newEmail,
    factors: factors.filter(({ status }) => status === "verified"),
    needsPassword: !methods.some((method) => LINK_METHODS.has(method)),
  };
}

/** Lists the sessions of the account, the last used first. */
export async function listSessions(supabase: BrowserSupabase): Promise<Loaded<OwnSession>> {
  return readList("your sessions", () => jsonRows<OwnSession>(supabase.rpc("own_sessions")), ALL);
}

/** Saves the name of the account. */
export async function saveName(supabase: BrowserSupabase, form: FormData): Promise<Outcome> {
  const name = textOf(form, "name");
  if (lengthOf(name) > LONGEST_NAME) return refused(`Shorten your name to ${LONGEST_NAME} characters.`, "name");
  const { error } = await supabase.auth.updateUser({ data: { display_name: name } });
  return error ? refused(error.message) : done("Name saved.");
}

/** Requests another e-mail address, which applies after the links mailed to both addresses were opened. */
export async function changeEmail(supabase: BrowserSupabase, form: FormData): Promise<Outcome> {
  const email = textOf(form, "email").toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return refused("Enter an e-mail address.", "email");
  const { data, error } = await supabase.auth.updateUser({ email }, { emailRedirectTo: `${location.origin}/admin/password` });
  if (error) return refused(error.message, error.code === "email_exists" ? "email" : undefined);
  return data.user.new_email === undefined
    ? done("That is already your address.")
    : done(`Open the links that are being mailed to ${data.user.email} and to ${email}. Your address changes once both links were used.`);
}

/** Changes the password of the account; calls `needCode` if the service requires a mailed code first. */
export async function changePassword(supabase: BrowserSupabase, form: FormData, needCode: () => void): Promise<Outcome> {
  const checked = checkNewPassword(form);
  if (!checked.ok) return checked;
  const current = passwordOf(form, "current_password");
  const nonce = textOf(form, "code");
  const { error } = await supabase.auth.updateUser({
    password: checked.value,
    current_password: current,
    ...(nonce === "" ? {} : { nonce }),
  });
  if (!error) return done("Password changed. All other devices were signed out.");
  if (error.code === "reauthentication_needed") return sendCode(supabase, needCode);
  return passwordRefusal(error);
}

async function sendCode(supabase: BrowserSupabase, needCode: () => void): Promise<Outcome> {
  const { error } = await supabase.auth.reauthenticate();
  if (error) return refused(error.message);
  needCode();
  return refused("Enter the code that is being mailed to you, then save again.", "code");
}

/** The refusal for an error of the service. */
export function passwordRefusal({ code, message }: Pick<AuthError, "code" | "message">): Outcome {
  switch (code) {
    case "current_password_required":
      return refused("Enter your current password.", "current_password");
    case "current_password_invalid":
      return refused("That is not your current password.", "current_password");
    case "reauthentication_not_valid":
      return refused("That code is wrong or has expired.", "code");
    case "same_password":
    case "weak_password":
      return refused(message, "password");
    default:
      return refused(message);
  }
}

/** Ends all sessions of the account except the current one. */
export async function signOutElsewhere(supabase: BrowserSupabase): Promise<Outcome> {
  const { error } = await supabase.auth.signOut({ scope: "others" });
  return error ? refused(error.message) : done("All other devices were signed out.");
}

/** Reads when the address of the person's calendar was made; no row without an address. */
export async function readFeed(supabase: BrowserSupabase): Promise<Loaded<string>> {
  const { data, error } = await supabase.rpc("calendar_feed_made_at");
  if (error) return { ok: false, message: `Failed to load your calendar: ${error.message}` };
  return { ok: true, rows: data === null ? [] : [data] };
}

/** Makes a new address for the person's calendar, which replaces an earlier one, and passes it to `show`. */
export async function makeFeed(supabase: BrowserSupabase, show: (address: string) => void): Promise<Outcome> {
  const { data: key, error } = await supabase.rpc("make_calendar_feed");
  if (error) return refused(`Failed to make an address: ${error.message}`);
  show(location.origin + href("/staff-calendar/:file", { file: `${key}.ics` }));
  return done("The address of your calendar is ready to copy.");
}

/** Makes the address of the person's calendar invalid. */
export async function removeFeed(supabase: BrowserSupabase): Promise<Outcome> {
  const { error } = await supabase.rpc("remove_calendar_feed");
  return error ? refused(`Failed to remove the address: ${error.message}`) : done("The address of your calendar is removed.");
}

/** Starts the set-up of an authenticator app with the name of a form; deletes earlier unverified factors. */
export async function beginEnrolment(supabase: BrowserSupabase, form: FormData): Promise<Enrolment | Refusal> {
  const friendlyName = textOf(form, "device").slice(0, LONGEST_DEVICE_NAME);
  if (friendlyName === "") return refused("Give the device a name.", "device");
  await removeUnverified(supabase);
  const { data, error } = await supabase.auth.mfa.enroll({ factorType: "totp", friendlyName, issuer: provider.name });
  if (error?.code === "mfa_factor_name_conflict") return refused("A device of this name is there already. Choose another.", "device");
  if (error) return refused(error.message);
  return { ok: true, id: data.id, qr: data.totp.qr_code, secret: data.totp.secret };
}

/** Completes the set-up with the first code of the app. */
export async function endEnrolment(supabase: BrowserSupabase, { id }: Enrolment, form: FormData): Promise<Outcome> {
  const outcome = await verifyFactor(supabase, id, form);
  return outcome.ok ? done("Your sign-in code is set up. Other devices were signed out; the next sign-in asks for a code.") : outcome;
}

/** Removes a second factor of the own account. */
export async function removeFactor(supabase: BrowserSupabase, id: string): Promise<Outcome> {
  const { error } = await supabase.auth.mfa.unenroll({ factorId: id });
  if (error) return codeRefusal(error);
  // The token still contains the assurance level of the removed factor.
  await supabase.auth.refreshSession();
  return done("The device is removed.");
}

async function removeUnverified(supabase: BrowserSupabase): Promise<void> {
  const { data } = await supabase.auth.mfa.listFactors();
  for (const { id, status } of data?.all ?? []) if (status === "unverified") await supabase.auth.mfa.unenroll({ factorId: id });
}
