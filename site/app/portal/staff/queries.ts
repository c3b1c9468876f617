import { FunctionsHttpError } from "@supabase/supabase-js";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { done, refused, type Loaded, type Outcome } from "../frame/outcome.ts";
import { ALL, jsonRows, readList } from "../lists/read-list.ts";
import { checkInvitation, type Activity, type CommandName, type Member, type MemberCommand } from "./schema.ts";

/** The result of a command, and the link to hand over, if there is one. */
export interface CommandResult {
  outcome: Outcome;
  link: string | null;
}

/** Lists all accounts. */
export async function listMembers(supabase: BrowserSupabase): Promise<Loaded<Member>> {
  return readList("staff", () => jsonRows<Member>(supabase.rpc("list_staff")), ALL);
}

const MOST_ENTRIES = 50;

/** Lists the latest account activity. */
export async function listActivity(supabase: BrowserSupabase): Promise<Loaded<Activity>> {
  return readList(
    "account activity",
    (from, to) =>
      supabase
        .from("staff_acts")
        .select("id, act, actor_email, member_email, member_role, begun_at, done_at")
        .order("begun_at", { ascending: false })
        .range(from, to),
    MOST_ENTRIES,
  );
}

/** Invites a person. */
export async function invite(supabase: BrowserSupabase, form: FormData): Promise<CommandResult> {
  const checked = checkInvitation(form);
  if (!checked.ok) return { outcome: checked, link: null };
  return sendCommand(supabase, { act: "invite", ...checked.value }, checked.value.email);
}

/** Changes the account of a colleague. */
export async function runCommand(supabase: BrowserSupabase, act: MemberCommand, { id, email }: Member): Promise<CommandResult> {
  if (act === "link_by_hand") return sendCommand(supabase, { act: "link", member_id: id, by_hand: true }, email);
  return sendCommand(supabase, { act, member_id: id }, email);
}

const WORDS: Readonly<Record<CommandName, (who: string) => string>> = {
  invite: (who) => `${who} is invited.`,
  link: (who) => `There is a new link for ${who}.`,
  disable: (who) => `${who} is disabled, and signed out everywhere.`,
  enable: (who) => `${who} can sign in again.`,
  remove_factor: (who) => `${who} signs in with the password alone now.`,
  remove: (who) => `The account of ${who} is removed.`,
  make_owner: (who) => `${who} is an owner now, and needs a new password.`,
  make_office: (who) => `${who} has the role office now, and has to sign in again.`,
  make_trainer: (who) => `${who} is a trainer now, and has to sign in again.`,
};

async function sendCommand(
  supabase: BrowserSupabase,
  body: Record<string, unknown> & { act: CommandName },
  who: string,
): Promise<CommandResult> {
  const response = await supabase.functions.invoke<unknown>("staff", { body });
  if (response.error !== null) return { outcome: await refusalOf(response.error), link: null };
  const said = WORDS[body.act](who);
  const link = fieldOf(response.data, "link");
  if (link !== null) return { outcome: done(`${said} Hand over the link below.`), link };
  const mailed = typeof response.data === "object" && response.data !== null && "mailed" in response.data;
  return { outcome: done(mailed ? `${said} The link is on its way by mail.` : said), link: null };
}

/** Returns the message of the function for people. */
async function refusalOf(error: unknown): Promise<Outcome> {
  const response: unknown = error instanceof FunctionsHttpError ? error.context : null;
  if (!(response instanceof Response)) return refused("The service could not be reached. Nothing was done; please try again.");
  const body: unknown = await response.json();
  const message = fieldOf(body, "message") ?? "This could not be done. Please try again.";
  return fieldOf(body, "error") === "invalid_email" ? refused(message, "email") : refused(message);
}

function fieldOf(value: unknown, name: "link" | "message" | "error"): string | null {
  if (typeof value !== "object" || value === null) return null;
  const field: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof field === "string" ? field : null;
}
