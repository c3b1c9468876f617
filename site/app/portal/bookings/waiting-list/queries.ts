import type { BrowserSupabase } from "../../../supabase/supabase.client.ts";
import { DATE_CANCELLED, FOREIGN_KEY_VIOLATION, NOT_ENOUGH_PLACES, RECORD_GONE, UNIQUE_VIOLATION } from "../../../supabase/sqlstates.ts";
import { dateInWords } from "../../bookable-dates/bookable-date.ts";
import { parseForm } from "../../forms/fields.ts";
import { done, refused, type Checked, type Outcome, type Refusal } from "../../frame/outcome.ts";
import { deletionOutcome } from "../../records/deletion.ts";
import { insertOnce } from "../../records/insert-once.ts";
import { saveRecord, type RecordEdit, type ServiceError } from "../../records/save-record.ts";
import { waitingFields, type WaitingValues } from "../fields.ts";
import type { WaitingEntry } from "./waiting-list.ts";

const WITH_DATE = "*, course_dates(course_name, course_date)";

/** Adds the entry of a form at the end of the waiting list of its date. */
export async function addWaiting(supabase: BrowserSupabase, form: FormData): Promise<Outcome> {
  const checked = checkWaiting(form);
  if (!checked.ok) return checked;
  const { error } = await insertOnce(supabase, "waiting_list", form, [checked.value]);
  return error ? failed("add to the waiting list", error) : done(`${checked.value.name} is on the waiting list.`);
}

/** Saves the changed fields of an entry; another date moves it to the end of that waiting list. */
export async function saveWaiting(supabase: BrowserSupabase, edit: RecordEdit<WaitingEntry>, form: FormData): Promise<Outcome> {
  const checked = checkWaiting(form);
  if (!checked.ok) return checked;
  return saveRecord<WaitingValues, WaitingEntry>(supabase, edit, checked.value, {
    table: "waiting_list",
    columns: WITH_DATE,
    noun: "entry",
    fields: waitingFields,
    show: (field, row) => (field === "course_id" ? dateInWords(row.course_dates) : undefined),
    saved: `Entry of ${checked.value.name} saved.`,
    failed: (error) => failed("save the entry", error),
  });
}

/** Marks an entry as called about a place, or as not called; `now` in milliseconds. */
export async function setCalled(supabase: BrowserSupabase, { id, name }: WaitingEntry, called: boolean, now: number): Promise<Outcome> {
  const { data, error } = await supabase
    .from("waiting_list")
    .update({ called_at: called ? new Date(now).toISOString() : null })
    .eq("id", id)
    .select("id");
  if (error) return failed("save the entry", error);
  if (data.length === 0) return gone();
  return done(called ? `${name} was called.` : `${name} was not called yet.`);
}

/** Swaps an entry with its neighbour in the order. */
export async function moveWaiting(supabase: BrowserSupabase, { id, name }: WaitingEntry, up: boolean): Promise<Outcome> {
  const { error } = await supabase.rpc("move_waiting", { entry: id, up });
  return error ? failed("move the entry", error) : done(`${name} moved ${up ? "up" : "down"}.`);
}

/** Turns an entry into a booking. */
export async function bookWaiting(supabase: BrowserSupabase, { id, name }: WaitingEntry): Promise<Outcome> {
  const { error } = await supabase.rpc("book_waiting", { entry: id });
  return error ? failed("book the entry", error) : done(`Booking added for ${name}, and the entry was removed from the waiting list.`);
}

/** Removes an entry. */
export async function withdrawWaiting(supabase: BrowserSupabase, { id, name }: WaitingEntry): Promise<Outcome> {
  const deletion = await supabase.from("waiting_list").delete().eq("id", id).select("id");
  return deletionOutcome(deletion, "entry", `${name} was removed from the waiting list.`);
}

/** Validates the form of an entry: it needs a phone number or an e-mail address. */
function checkWaiting(form: FormData): Checked<WaitingValues> {
  const checked = parseForm(waitingFields, form);
  if (checked.ok && checked.value.email === null && checked.value.phone === null)
    return refused("Enter a phone number or an e-mail address, so that you can reach them.", "phone");
  return checked;
}

function failed(verb: string, error: ServiceError): Refusal {
  switch (error.code) {
    case RECORD_GONE:
      return gone();
    case NOT_ENOUGH_PLACES:
      return refused(`Only ${Number(error.details)} of the places they want are left on this date.`);
    case DATE_CANCELLED:
      return refused("That date is cancelled. Choose another.", "course_id");
    case UNIQUE_VIOLATION:
      return refused("Somebody with this e-mail address or phone number is already on the list of this date.", "phone");
    case FOREIGN_KEY_VIOLATION:
      return refused("That date was deleted. Choose another.", "course_id");
    default:
      return refused(`Failed to ${verb}: ${error.message}`);
  }
}

function gone(): Refusal {
  return refused("This entry is not on the waiting list any more: somebody else booked, moved or removed it.");
}
