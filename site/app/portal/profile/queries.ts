import type { AuthError, Factor } from "@supabase/supabase-js";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { lengthOf, textOf } from "../forms/form-text.ts";
import type { LinkToken } from "../session/link-token.ts";
import { checkNewPassword, passwordOf } from "../session/new-password.ts";
import { done, refused, type Loaded, type Outcome } from "../frame/outcome.ts";
import { readList } from "../lists/read-list.ts";

/** One place where the reader is signed in. */
export interface OwnSession {
  id: string;
  user_agent: string;
  created_at: string;
  used_at: string;
  /** Whether it is the one that asks. */
  this: boolean;
}

/** The reader's own account, as it is now. */
export interface Profile {
  name: string;
  email: string;
  /** An address that waits to be confirmed. */
  newEmail: string | undefined;
  factors: readonly Factor[];
}

const LONGEST_NAME = 120;

/** Reads the account anew: what the session remembers of it may be an hour old. */
export async function readProfile(supabase: BrowserSupabase): Promise<Profile | null> {
  const { data } = await supabase.auth.getUser();
  if (!data.user) return null;
  const { user_metadata: metadata, email = "", new_email: newEmail, factors = [] } = data.user;
  const name: unknown = metadata["display_name"];
  return { name: typeof name === "string" ? name : "", email, newEmail, factors: factors.filter(({ status }) => status === "verified") };
}

/** Where the reader is signed in, the latest used first. */
export async function listSessions(supabase: BrowserSupabase): Promise<Loaded<OwnSession>> {
  return readList("where you are signed in", async (from) => {
    if (from > 0) return { data: [], error: null };
    const { data, error } = await supabase.rpc("own_sessions");
    if (error) return { data: null, error };
    return isSessions(data) ? { data, error: null } : { data: null, error: { message: "the answer was not understood" } };
  });
}

/** A link that confirms an address also opens a session, which nobody here needs: this browser has its own, or is to sign in. */
export async function endLinkSession(supabase: BrowserSupabase, arrival: LinkToken): Promise<void> {
  if (arrival.kind !== "session") return;
  await supabase.auth.admin.signOut(arrival.access_token, "local");
  await supabase.auth.refreshSession();
}

/** Changes what the reader is called. */
export async function saveName(supabase: BrowserSupabase, form: FormData): Promise<Outcome> {
  const name = textOf(form, "name");
  if (lengthOf(name) > LONGEST_NAME) return refused(`Shorten your name to ${LONGEST_NAME} characters.`, "name");
  const { error } = await supabase.auth.updateUser({ data: { display_name: name } });
  return error ? refused(error.message) : done("Your name is saved.");
}

/** Asks for another address, which counts once the links mailed to both are opened. */
export async function changeEmail(supabase: BrowserSupabase, form: FormData): Promise<Outcome> {
  const email = textOf(form, "email").toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return refused("Enter an e-mail address.", "email");
  const { data, error } = await supabase.auth.updateUser({ email }, { emailRedirectTo: `${location.origin}/admin/profile` });
  if (error) return refused(error.message, error.code === "email_exists" ? "email" : undefined);
  return data.user.new_email === undefined
    ? done("That is your address already.")
    : done(`Open the links that are being mailed to ${data.user.email} and to ${email}. Your address changes once both are open.`);
}

/** What the service may want to see before it takes a new password. */
export type PasswordProof = "current_password" | "code";

/** Changes the reader's own password; `need` hears what the service wants to see first, where the project is set so. */
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
  if (!error) return done("Your password is changed. Everywhere else you are signed out.");
  if (error.code === "reauthentication_needed") return sendCode(supabase, need);
  return passwordRefusal(error, need);
}

async function sendCode(supabase: BrowserSupabase, need: (proof: PasswordProof) => void): Promise<Outcome> {
  const { error } = await supabase.auth.reauthenticate();
  if (error) return refused(error.message);
  need("code");
  return refused("Enter the code that is being mailed to you, then save again.", "code");
}

function passwordRefusal({ code, message }: AuthError, need: (proof: PasswordProof) => void): Outcome {
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

/** Ends every session of the reader but this one. */
export async function signOutElsewhere(supabase: BrowserSupabase): Promise<Outcome> {
  const { error } = await supabase.auth.signOut({ scope: "others" });
  return error ? refused(error.message) : done("You are signed out everywhere else.");
}

function isSessions(answer: unknown): answer is OwnSession[] {
  return Array.isArray(answer) && answer.every((one: unknown) => typeof one === "object" && one !== null && "user_agent" in one);
}
