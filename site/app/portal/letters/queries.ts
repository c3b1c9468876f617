import * as SQLSTATE from "backend/sqlstates.ts";
import { letterKinds } from "content/letters.ts";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { DAY_MS, daysBefore } from "../../time/durations.ts";
import { parseForm } from "../forms/fields.ts";
import { counted } from "../frame/counted.ts";
import { done, refused, type Loaded, type Outcome } from "../frame/outcome.ts";
import { readList } from "../lists/read-list.ts";
import { saveRecord, type RecordEdit } from "../records/save-record.ts";
import { kindFields, kindOf, PROBLEMS, type KindRow, type Letter, type LetterBooking } from "./fields.ts";

/** Selects the letters of one booking, the recent ones, or all. */
export type Scope = { booking: string } | { now: number } | "all";

const RECENT_DAYS = 30;
const AHEAD_DAYS = 14;
const KIND = "id, sending, subject, body, texts, text_message, updated_at" as const;
const DATE = "course_dates(course_name, course_date, end_date)" as const;
const LETTER =
  `id, kind, channel, booking_id, enquiry_id, waiting_id, state, course_start, due_at, sent_at, by_hand, problem, response, recipient,
  subject, body, created_at, bookings(id, name, email, phone, places, payment_status, ${DATE}), waiting_list(name, email, phone, places, ${DATE}),
  enquiries(id, name, reply_to, course_name)` as const;
const MOST_SAMPLES = 20;

/** Lists the letters of a scope: those that failed, those that wait in their order, and the others with the latest first. */
export async function listLetters(supabase: BrowserSupabase, scope: Scope): Promise<Loaded<Letter>> {
  const result = await readList("letters", (from, to) => {
    const query = supabase.from("letters").select(LETTER).order("due_at", { ascending: false }).order("id").range(from, to);
    if (scope === "all") return query;
    if ("booking" in scope) return query.eq("booking_id", scope.booking);
    const ahead = new Date(scope.now + AHEAD_DAYS * DAY_MS).toISOString();
    return query.gte("due_at", daysBefore(scope.now, RECENT_DAYS)).lt("due_at", ahead);
  });
  if (!result.ok) return result;
  const {
    failed = [],
    waiting = [],
    others = [],
  } = Object.groupBy(result.rows, ({ state }) => (state === "failed" || state === "waiting" ? state : "others"));
  return { ok: true, rows: [...failed, ...waiting.toReversed(), ...others] };
}

/** Lists the kinds of letters in the order of `content/letters.ts`. */
export async function listKinds(supabase: BrowserSupabase): Promise<Loaded<KindRow>> {
  const result = await readList("templates", (from, to) => supabase.from("letter_kinds").select(KIND).order("id").range(from, to));
  const order = Object.keys(letterKinds);
  return result.ok ? { ok: true, rows: result.rows.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id)) } : result;
}

/** Lists the next bookings with an e-mail address, to show a template with. */
export async function listSamples(supabase: BrowserSupabase, now: number): Promise<readonly LetterBooking[]> {
  const { data } = await supabase
    .from("bookings")
    .select("id, name, email, phone, places, payment_status, course_dates!inner(course_name, course_date, end_date)")
    .eq("status", "active")
    .not("email", "is", null)
    .gt("course_dates.course_date", new Date(now).toISOString())
    .order("created_at", { ascending: false })
    .limit(MOST_SAMPLES);
  // Without bookings the template is shown with a sample.
  return data ?? [];
}

/** Saves the changed fields of a kind of letter. */
export async function saveKind(supabase: BrowserSupabase, edit: RecordEdit<KindRow>, form: FormData): Promise<Outcome> {
  const fields = kindFields(edit.opened.id);
  const checked = parseForm(fields, form);
  if (!checked.ok) return checked;
  return saveRecord(supabase, edit, checked.value, {
    table: "letter_kinds",
    columns: KIND,
    noun: "template",
    fields,
    saved: `${kindOf(edit.opened.id).label} saved.`,
    failed: ({ message }) => refused(`Failed to save template: ${message}`),
  });
}

/** Restores the default text of a kind of letter. */
export async function restoreDefault(supabase: BrowserSupabase, { id, updated_at }: KindRow): Promise<Outcome> {
  const restored = { subject: null, body: null, text_message: null };
  const { data, error } = await supabase.from("letter_kinds").update(restored).eq("id", id).eq("updated_at", updated_at).select("id");
  if (error) return refused(`Failed to restore the default: ${error.message}`);
  return data.length === 0
    ? { ...refused("Somebody else changed this template. Nothing was restored: look at it again."), stale: true }
    : done(`${kindOf(id).label}: the default text is restored.`);
}

const DONE = { withdraw: "The letter is not sent.", by_hand: "Noted as sent by hand." };
export type LetterAct = keyof typeof DONE | "send";

/** Sends a waiting or failed letter now, stops it, or notes that staff sent it themselves. */
export async function changeLetter(supabase: BrowserSupabase, letter: string, act: LetterAct): Promise<Outcome> {
  const { error } = await supabase.rpc("change_letter", { letter, act });
  switch (error?.code) {
    case undefined:
      break;
    case SQLSTATE.notFound:
      return { ...refused("The letter was deleted together with its booking or enquiry."), stale: true };
    case SQLSTATE.preconditionFailed:
      return { ...refused("The letter was sent or stopped meanwhile, or a newer one is waiting."), stale: true };
    default:
      return refused(`Failed to change the letter: ${error?.message}`);
  }
  return act === "send" ? sendDue(supabase, letter) : done(DONE[act]);
}

/** Sends several letters again, or stops them, and reports for how many it succeeded. */
export async function changeLetters(supabase: BrowserSupabase, letters: readonly string[], act: "send" | "withdraw"): Promise<Outcome> {
  const results = await Promise.all(letters.map((letter) => supabase.rpc("change_letter", { letter, act })));
  const failed = results.flatMap(({ error }) => error ?? []);
  const changed = results.length - failed.length;
  if (act === "send" && changed > 0) await supabase.functions.invoke("send-letters", { method: "POST" });
  const [first] = failed;
  if (first) {
    const words = act === "send" ? "sent again" : "stopped";
    return { ...refused(`${changed} of ${results.length} letters are ${words}. ${first.message}.`), stale: true };
  }
  return done(
    act === "send"
      ? `Tried to send ${counted(changed, "letter")} again. The list shows which of them are sent.`
      : `${counted(changed, "letter")} stopped.`,
  );
}

/** Sends the letters that are due, and returns the outcome of this one. */
async function sendDue(supabase: BrowserSupabase, letter: string): Promise<Outcome> {
  await supabase.functions.invoke("send-letters", { method: "POST" });
  const { data } = await supabase.from("letters").select("kind, state, tries, problem, response").eq("id", letter).maybeSingle();
  if (data?.state === "sent") return done("The letter is sent.");
  if (data?.state === "failed" || data?.state === "withdrawn") {
    return refused(`The letter was not sent. ${data.response ?? PROBLEMS[data.problem ?? ""] ?? ""}`.trim());
  }
  if (data?.state === "waiting" && data.tries > 0)
    return refused("The service that sends it did not take the letter. It is tried again in two minutes.");
  if (data?.kind.startsWith("reminder")) return done("Reminders are sent between 08:00 and 18:00. The letter goes out then.");
  return done("The letter goes out within a minute.");
}
