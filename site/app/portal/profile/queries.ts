import type { AuthError, Factor } from "@supabase/supabase-js";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { lengthOf, textOf } from "../forms/form-text.ts";
import type { LinkToken } from "../session/link-token.ts";
import { checkNewPassword, passwordOf } from "../session/new-password.ts";
import { done, refused, type Loaded, type Outcome } from "../frame/outcome.ts";
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
export interface Profile {
  name: string;
  email: string;
  /** An address that is not confirmed yet. */
  newEmail: string | undefined;
  factors: readonly Factor[];
}

const LONGEST_NAME = 120;

/** Reads the account from the service; the copy in the session may be an hour old. */
export async function readProfile(supabase: BrowserSupabase): Promise<Profile | null> {
  const { data } = await supabase.auth.getUser();
  if (!data.user) return null;
  const { user_metadata: metadata, email = "", new_email: newEmail, factors = [] } = data.user;
  const name: unknown = metadata["display_name"];
  return { name: typeof name === "string" ? name : "", email, newEmail, factors: factors.filter(({ status }) => status === "verified") };
}

/** Lists the sessions of the account, the last used first. */
export async function listSessions(supabase: BrowserSupabase): Promise<Loaded<OwnSession>> {
  return readList("your sessions", () => jsonRows<OwnSession>(supabase.rpc("own_sessions")), ALL);
}

/** Ends the session that a confirmation link opens; the browser keeps its own. */
export async function endLinkSession(supabase: BrowserSupabase, linkToken: LinkToken): Promise<void> {
  if (linkToken.kind !== "session") return;
  await supabase.auth.admin.signOut(linkToken.access_token, "local");
  await supabase.auth.refreshSession();
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
  const { data, error } = await supabase.auth.updateUser({ email }, { emailRedirectTo: `${location.origin}/admin/profile` });
  if (error) return refused(error.message, error.code === "email_exists" ? "email" : undefined);
  return data.user.new_email === undefined
    ? done("That is already your address.")
    : done(`Open the links that are being mailed to ${data.user.email} and to ${email}. Your address changes once both are open.`);
}

/** Proof that the service may require for a new password. */
export type PasswordProof = "current_password" | "code";

/** Changes the password of the account; `need` receives the proof that the service requires first. */
export async function changePassword(supabase: BrowserSupabase, form: FormData, need: (proof: PasswordProof) => void): Promise<Outcome> {
  const checked = checkNewPassword(form);
  if (!checked.ok) return checked;
  const current = passwordOf(form, "current_password");
  const nonce = textOf(form, "code");
  const { error } = await supabase.auth.updateUser({
    password: checked.value,
    ...(current === "" ? {} : { current_password: current }),
    ...(nonce === "" ? {} : { nonce }),
  });
  if (!error) return done("Password changed. All other devices were signed out.");
  if (error.code === "reauthentication_needed") return sendCode(supabase, need);
  return passwordRefusal(error, need);
}

async function sendCode(supabase: BrowserSupabase, need: (proof: PasswordProof) => void): Promise<Outcome> {
  const { error } = await supabase.auth.reauthenticate();
  if (error) return refused(error.message);
  need("code");
  return refused("Enter the code that is being mailed to you, then save again.", "code");
}

/** The refusal for an error of the service; `need` receives the proof that the service requires. */
export function passwordRefusal({ code, message }: Pick<AuthError, "code" | "message">, need: (proof: PasswordProof) => void): Outcome {
  switch (code) {
    case "current_password_required":
      need("current_password");
      return refused("Enter your current password too.", "current_password");
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
