import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { deletionOutcome } from "../records/deletion.ts";
import { saveRecord, type RecordEdit } from "../records/save-record.ts";
import { done, refused, type Loaded, type Outcome } from "../frame/outcome.ts";
import { readList } from "../lists/read-list.ts";
import { checkEnquiry, checkHandling, labelOfStatus, type Enquiry, type EnquiryHandling } from "./schema.ts";

/** Which enquiries are wanted: those that are open or came since a time, or all there are. */
export type Scope = { since: string } | "all";

const TOO_MANY = "PT429";
const WITH_BOOKINGS = "*, bookings(id, course_id, course_dates(course_name, course_date))";
const LABELS = { status: "Status", note: "Note" };

/** The enquiries of a scope, the newest first. */
export function listEnquiries(supabase: BrowserSupabase, scope: Scope): Promise<Loaded<Enquiry>> {
  return readList("enquiries", (from, to) => {
    const query = supabase.from("enquiries").select(WITH_BOOKINGS).order("created_at", { ascending: false }).order("id").range(from, to);
    return scope === "all" ? query : query.or(`status.in.(new,called),created_at.gte."${scope.since}"`);
  });
}

/** One enquiry; null where it is gone or cannot be read. */
export async function readEnquiry(supabase: BrowserSupabase, id: string): Promise<Enquiry | null> {
  const { data } = await supabase.from("enquiries").select(WITH_BOOKINGS).eq("id", id);
  return data?.[0] ?? null;
}

/** When an enquiry last came or was changed, as ISO text; null where there is none or the service did not answer. */
export async function latestChange(supabase: BrowserSupabase): Promise<string | null> {
  const { data } = await supabase.from("enquiries").select("updated_at").order("updated_at", { ascending: false }).limit(1);
  return data?.[0]?.updated_at ?? null;
}

/** Takes down an enquiry that came by telephone or at the counter. */
export async function addEnquiry(supabase: BrowserSupabase, form: FormData): Promise<Outcome> {
  const checked = checkEnquiry(form);
  if (!checked.ok) return checked;
  const { error } = await supabase.from("enquiries").insert(checked.value);
  if (error?.code === TOO_MANY) return refused("Very many enquiries came in the last ten minutes. Try again in a few minutes.");
  return error ? refused(`Failed to add enquiry: ${error.message}`) : done(`Enquiry of ${checked.value.name} added.`);
}

/** Saves what a filled-in form changed of the office's side of an enquiry. */
export async function saveEnquiry(supabase: BrowserSupabase, edit: RecordEdit<Enquiry>, form: FormData): Promise<Outcome> {
  const checked = checkHandling(form);
  if (!checked.ok) return checked;
  return saveRecord<EnquiryHandling, Enquiry>(supabase, edit, checked.value, {
    table: "enquiries",
    columns: WITH_BOOKINGS,
    noun: "enquiry",
    labels: LABELS,
    show: (field, row) => (field === "status" ? labelOfStatus(row.status) : (row.note ?? "empty")),
    saved: `Enquiry of ${edit.opened.name} saved.`,
    failed: ({ message }) => refused(`Failed to save enquiry: ${message}`),
  });
}

/** Gives an enquiry another status, unless somebody else was faster. */
export async function setStatus(supabase: BrowserSupabase, { id, name }: Enquiry, from: string, to: string): Promise<Outcome> {
  const { data, error } = await supabase.from("enquiries").update({ status: to }).eq("id", id).eq("status", from).select("id");
  if (error) return refused(`Failed to save enquiry: ${error.message}`);
  return data.length === 0
    ? refused(`The enquiry of ${name} is no longer “${labelOfStatus(from)}”: somebody else changed or deleted it meanwhile.`)
    : done(`${name}: ${labelOfStatus(to)}`);
}

/** Deletes an enquiry for good; a booking that came of it stays. */
export async function deleteEnquiry(supabase: BrowserSupabase, id: string): Promise<Outcome> {
  return deletionOutcome(await supabase.from("enquiries").delete().eq("id", id).select("id"), "enquiry", "Enquiry deleted.");
}
