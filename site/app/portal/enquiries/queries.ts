import * as SQLSTATE from "backend/sqlstates.ts";
import { href } from "react-router";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { daysBefore } from "../../time/durations.ts";
import { parseForm } from "../forms/fields.ts";
import { counted } from "../frame/counted.ts";
import { done, refused, type Loaded, type Outcome } from "../frame/outcome.ts";
import { ALL, readList } from "../lists/read-list.ts";
import { deletionOutcome } from "../records/deletion.ts";
import { firstIdOf, insertOnce } from "../records/insert-once.ts";
import { saveRecord, type RecordEdit } from "../records/save-record.ts";
import { alsoCompared, enquiryFields, handlingFields, type Enquiry } from "./fields.ts";

const RECENT_DAYS = 90;
const WITH_BOOKINGS =
  "*, bookings(id, status, course_id, course_dates(course_name, course_date)), course_dates!course_id(course_date, status)";

/** Selects open enquiries and those since a time, or all. */
type Scope = { since: string } | "all";

/** The start of the recent enquiries as ISO text; `now` in milliseconds. */
export function recentSince(now: number): string {
  return daysBefore(now, RECENT_DAYS);
}

/** Lists the enquiries of a scope, the newest first. */
export function listEnquiries(supabase: BrowserSupabase, scope: Scope): Promise<Loaded<Enquiry>> {
  return readList("enquiries", (from, to) => {
    const query = supabase.from("enquiries").select(WITH_BOOKINGS).order("created_at", { ascending: false }).order("id").range(from, to);
    return scope === "all" ? query : query.or(`status.in.(new,called),created_at.gte."${scope.since}"`);
  });
}

/** Reads one enquiry; no row if it was deleted. */
export function readEnquiry(supabase: BrowserSupabase, id: string): Promise<Loaded<Enquiry>> {
  return readList("enquiry", () => supabase.from("enquiries").select(WITH_BOOKINGS).eq("id", id), ALL);
}

/** Adds an enquiry that came by phone or in person. */
export async function addEnquiry(supabase: BrowserSupabase, form: FormData): Promise<Outcome> {
  const checked = parseForm(enquiryFields, form);
  if (!checked.ok) return checked;
  const { error } = await insertOnce(supabase, "enquiries", form, [checked.value]);
  return error
    ? refused(`Failed to add enquiry: ${error.message}`)
    : { ...done(`Enquiry of ${checked.value.name} added.`), record: firstIdOf(form) };
}

/** Saves the changed note and status of an enquiry. */
export async function saveEnquiry(supabase: BrowserSupabase, edit: RecordEdit<Enquiry>, form: FormData): Promise<Outcome> {
  const checked = parseForm(handlingFields, form);
  if (!checked.ok) return checked;
  return saveRecord(supabase, edit, checked.value, {
    table: "enquiries",
    columns: WITH_BOOKINGS,
    noun: "enquiry",
    fields: handlingFields,
    alsoCompared,
    saved: `Enquiry of ${edit.opened.name} saved.`,
    failed: ({ message }) => refused(`Failed to save enquiry: ${message}`),
  });
}

/** Changes the status of an enquiry unless somebody else changed it first. */
export async function setStatus(supabase: BrowserSupabase, { id, name }: Enquiry, from: string, to: string): Promise<Outcome> {
  const { data, error } = await supabase
    .from("enquiries")
    .update({ status: to })
    .eq("id", id)
    .eq("status", from)
    .select("id, updated_at, status");
  if (error) return refused(`Failed to save enquiry: ${error.message}`);
  return data.length === 0
    ? refused(`The enquiry of ${name} is not “${handlingFields.status.show(from)}” any more: somebody else changed or deleted it.`)
    : { ...done(`${name}: ${handlingFields.status.show(to)}`), stored: data };
}

/** Books the places of a request with the visitor's input, unless somebody else changed the enquiry first. */
export async function bookRequest(supabase: BrowserSupabase, { id, name, course_id, updated_at }: Enquiry): Promise<Outcome> {
  const { error } = await supabase.rpc("book_request", { enquiry: id, seen: updated_at });
  if (!error)
    return { ...done(`Booking added for ${name}.`), next: { to: `${href("/admin/bookings")}?date=${course_id}`, label: "Show it" } };
  const next = { to: `${href("/admin/bookings")}?enquiry=${id}`, label: "Book another date" };
  switch (error.code) {
    case SQLSTATE.conflict:
      return {
        ...refused(`Only ${counted(Number(error.details), "place is", "places are")} left on that date. Nothing was booked.`),
        next,
      };
    case SQLSTATE.gone:
      return { ...refused("That date is cancelled. Nothing was booked."), next };
    case SQLSTATE.preconditionFailed:
      return refused(`Somebody else changed the enquiry of ${name}. Nothing was booked: look at it again.`);
    case SQLSTATE.unprocessableContent:
      return refused(`Somebody else has booked the enquiry of ${name}. Nothing was booked twice.`);
    case SQLSTATE.notFound:
      return refused("The enquiry or its date was deleted. Nothing was booked.");
    default:
      return refused(`Failed to book: ${error.message}`);
  }
}

/** Deletes an enquiry; its booking stays. */
export async function deleteEnquiry(supabase: BrowserSupabase, id: string): Promise<Outcome> {
  return deletionOutcome(await supabase.from("enquiries").delete().eq("id", id).select("id"), "enquiry", "Enquiry deleted.");
}
