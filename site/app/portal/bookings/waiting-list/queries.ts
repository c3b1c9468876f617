import type { BrowserSupabase } from "../../../supabase/supabase.client.ts";
import { deletionOutcome } from "../../records/deletion.ts";
import { saveRecord, type RecordEdit, type ServiceError } from "../../records/save-record.ts";
import { done, refused, type Checked, type Outcome, type Refusal } from "../../frame/outcome.ts";
import { checkAttendance, dateInWords, type Attendance } from "../schema.ts";
import type { WaitingEntry } from "./waiting-list.ts";

const DATE_CANCELLED = "PT410";
const NOT_ENOUGH_PLACES = "PT409";
const GONE = "PT404";
const UNIQUE_VIOLATION = "23505";
const FOREIGN_KEY_VIOLATION = "23503";
const WITH_DATE = "*, course_dates(course_name, course_date)";
const LABELS = { course_id: "Date", name: "Name", email: "E-mail", phone: "Phone", places: "Places", note: "Note" };

/** Puts whoever a filled-in form names at the end of a date's list. */
export async function addWaiting(supabase: BrowserSupabase, form: FormData): Promise<Outcome> {
  const checked = checkWaiting(form);
  if (!checked.ok) return checked;
  const { error } = await supabase.from("waiting_list").insert(checked.value);
  return error ? failed("add to the waiting list", error) : done(`${checked.value.name} is on the waiting list.`);
}

/** Saves what a filled-in form changed of an entry; another date moves it to the end of that one's list. */
export async function saveWaiting(supabase: BrowserSupabase, edit: RecordEdit<WaitingEntry>, form: FormData): Promise<Outcome> {
  const checked = checkWaiting(form);
  if (!checked.ok) return checked;
  return saveRecord<Attendance, WaitingEntry>(supabase, edit, checked.value, {
    table: "waiting_list",
    columns: WITH_DATE,
    noun: "entry",
    labels: LABELS,
    show: (field, row) => (field === "course_id" ? dateInWords(row.course_dates) : String(row[field] ?? "empty")),
    saved: `Entry of ${checked.value.name} saved.`,
    failed: (error) => failed("save the entry", error),
  });
}

/** Marks that somebody was rung about a place, or that they were not; `now` in milliseconds. */
export async function setCalled(supabase: BrowserSupabase, { id, name }: WaitingEntry, called: boolean, now: number): Promise<Outcome> {
  const { data, error } = await supabase
    .from("waiting_list")
    .update({ called_at: called ? new Date(now).toISOString() : null })
    .eq("id", id)
    .select("id");
  if (error) return failed("save the entry", error);
  if (data.length === 0) return gone();
  return done(called ? `${name} was called.` : `${name} is to be called.`);
}

/** Lets an entry change places with its neighbour. */
export async function moveWaiting(supabase: BrowserSupabase, { id, name }: WaitingEntry, up: boolean): Promise<Outcome> {
  const { error } = await supabase.rpc("move_waiting", { entry: id, up });
  return error ? failed("move the entry", error) : done(`${name} moved ${up ? "up" : "down"}.`);
}

/** Makes a booking of an entry, which leaves the list with it. */
export async function bookWaiting(supabase: BrowserSupabase, { id, name }: WaitingEntry): Promise<Outcome> {
  const { error } = await supabase.rpc("book_waiting", { entry: id });
  return error ? failed("book the entry", error) : done(`Booking added for ${name}, who is off the waiting list.`);
}

/** Takes somebody off the list who no longer waits. */
export async function withdrawWaiting(supabase: BrowserSupabase, { id, name }: WaitingEntry): Promise<Outcome> {
  const deletion = await supabase.from("waiting_list").delete().eq("id", id).select("id");
  return deletionOutcome(deletion, "entry", `${name} is off the waiting list.`);
}

/** Checks a filled-in entry by the rules the database has too. */
function checkWaiting(form: FormData): Checked<Attendance> {
  const checked = checkAttendance(form);
  if (checked.ok && checked.value.email === null && checked.value.phone === null)
    return refused("Enter a phone number or an e-mail address, so that somebody can tell them.", "phone");
  return checked;
}

function failed(verb: string, error: ServiceError): Refusal {
  switch (error.code) {
    case GONE:
      return gone();
    case NOT_ENOUGH_PLACES:
      return refused(`Only ${Number(error.details)} of the places they want are left on this date.`);
    case DATE_CANCELLED:
      return refused("That date is cancelled. Choose another.", "course_id");
    case UNIQUE_VIOLATION:
      return refused("Somebody with this e-mail address or phone number is on the list of this date already.", "phone");
    case FOREIGN_KEY_VIOLATION:
      return refused("That date was deleted meanwhile. Choose another.", "course_id");
    default:
      return refused(`Failed to ${verb}: ${error.message}`);
  }
}

function gone(): Refusal {
  return refused("This entry is no longer on the waiting list: somebody else booked, moved or withdrew it meanwhile.");
}
