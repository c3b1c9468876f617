import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { deletionOutcome } from "../records/deletion.ts";
import { saveRecord, type RecordEdit, type ServiceError } from "../records/save-record.ts";
import { done, refused, type Loaded, type Outcome, type Refusal } from "../frame/outcome.ts";
import { readList } from "../lists/read-list.ts";
import { undoDelete } from "../records/undo.ts";
import { BOOKED_DATE, checkBooking, dateInWords, type BookableDate, type Booking, type BookingValues, type Person } from "./schema.ts";

/** Which bookings are wanted: of one date, of dates since a time, or all. */
export type Scope = { date: string } | { since: string } | "all";

const NOT_ENOUGH_PLACES = "PT409";
const DATE_CANCELLED = "PT410";
const FOREIGN_KEY_VIOLATION = "23503";
const ENQUIRY_BOOKED = "PT422";
const WITH_DATE = `*, course_dates!inner(${BOOKED_DATE})` as const;
const names = new Intl.Collator("en-GB");
const LABELS = {
  course_id: "Date",
  name: "Name",
  email: "E-mail",
  phone: "Phone",
  company: "Company",
  places: "Places",
  payment_status: "Payment",
  payment_method: "Paid by",
  note: "Note",
  status: "Status",
};

/** The bookings of a scope, by date and name. Read by their dates, which are fewer: so every scope is found by an index. */
export async function listBookings(supabase: BrowserSupabase, scope: Scope): Promise<Loaded<Booking>> {
  const answer = await readList("bookings", (from, to) => {
    const query = supabase.from("course_dates").select(`${BOOKED_DATE}, bookings(*)`).order("course_date").order("id").range(from, to);
    if (scope === "all") return query;
    return "date" in scope ? query.eq("id", scope.date) : query.gte("course_date", scope.since);
  });
  if (!answer.ok) return answer;
  const rows = answer.rows.flatMap(({ bookings, ...course_dates }) =>
    bookings.toSorted(byName).map((booking) => Object.assign(booking, { course_dates })),
  );
  return { ok: true, rows };
}

/** Which dates are wanted: since a time, one of them, or both together. */
export type DateScope = { since?: string; id?: string | null };

/** The dates of a scope with their places left, by course and date. */
export function listBookableDates(supabase: BrowserSupabase, { since, id }: DateScope): Promise<Loaded<BookableDate>> {
  const wanted = [since === undefined ? [] : `course_date.gte."${since}"`, id ? `id.eq.${id}` : []].flat().join(",");
  return readList("course dates", (from, to) =>
    supabase
      .from("course_dates")
      .select(`id, ${BOOKED_DATE}, waiting_list(id)`)
      .or(wanted)
      .order("course_name")
      .order("course_date")
      .order("id")
      .range(from, to),
  );
}

/** Takes the booking of a filled-in form; the enquiry it came of is booked with it. */
export async function addBooking(supabase: BrowserSupabase, form: FormData, enquiryId?: string): Promise<Outcome> {
  const checked = checkBooking(form);
  if (!checked.ok) return checked;
  const origin = enquiryId === undefined ? {} : { enquiry_id: enquiryId };
  const { error } = await supabase.from("bookings").insert({ ...checked.value, ...origin });
  if (error?.code === ENQUIRY_BOOKED) {
    const next = { to: `/admin/enquiries?open=${enquiryId}`, label: "Show the enquiry" };
    return { ...refused("Somebody else booked this enquiry meanwhile. Nothing was booked twice."), next };
  }
  // The enquiry, if not the date, was deleted meanwhile; the booking is wanted all the same.
  if (error?.code === FOREIGN_KEY_VIOLATION && enquiryId !== undefined) return addBooking(supabase, form);
  return error ? failed("add", error) : done(`Booking added for ${checked.value.name}.`);
}

/** Saves what a filled-in form changed of a booking; another date moves it there. */
export async function saveBooking(supabase: BrowserSupabase, edit: RecordEdit<Booking>, form: FormData): Promise<Outcome> {
  const checked = checkBooking(form);
  if (!checked.ok) return checked;
  return saveRecord<BookingValues, Booking>(supabase, edit, checked.value, {
    table: "bookings",
    columns: WITH_DATE,
    noun: "booking",
    labels: LABELS,
    show: (field, row) => (field === "course_id" ? dateInWords(row.course_dates) : String(row[field] ?? "empty")),
    saved: `Booking of ${checked.value.name} saved.`,
    failed: (error) => failed("save", error),
  });
}

/** Cancels a booking: its places are free again, and it stays on record. */
export async function cancelBooking(supabase: BrowserSupabase, id: string): Promise<Outcome> {
  const { data, error } = await supabase.from("bookings").update({ status: "cancelled" }).eq("id", id).eq("status", "active").select("id");
  if (error) return failed("cancel", error);
  return data.length === 0
    ? refused("Failed to cancel booking: it is no longer there, or was cancelled before.")
    : done("Booking cancelled.");
}

/** Deletes a booking for good. */
export async function deleteBooking(supabase: BrowserSupabase, id: string): Promise<Outcome> {
  const deletion = await supabase.from("bookings").delete().eq("id", id).select("id");
  return deletionOutcome(deletion, "booking", "Booking deleted.", () => undoDelete(supabase, "bookings", id));
}

/** Moves every active booking of a date to another, all of them or none. */
export async function moveAll(supabase: BrowserSupabase, from: string, to: string): Promise<Outcome> {
  if (to === "") return refused("Choose the date to move to.", "target");
  const { data, error } = await supabase
    .from("bookings")
    .update({ course_id: to })
    .eq("course_id", from)
    .eq("status", "active")
    .select("id");
  if (error?.code === NOT_ENOUGH_PLACES) return refused("That date has too few places left for all of them. Nothing was moved.", "target");
  if (error?.code === DATE_CANCELLED) return refused("That date is cancelled. Nothing was moved.", "target");
  if (error) return failed("move", error);
  return data.length === 0
    ? refused("There was no active booking to move.")
    : done(data.length === 1 ? "1 booking moved." : `${data.length} bookings moved.`);
}

/** People who booked before, by the beginnings of words of their name, company or e-mail, or of their phone number. */
export async function findPeople(supabase: BrowserSupabase, words: string): Promise<Person[]> {
  const { data, error } = await supabase.rpc("find_people", { words });
  // Nobody found is no obstacle to entering a name.
  return error || !Array.isArray(data) ? [] : data.filter(isPerson);
}

function failed(verb: string, error: ServiceError): Refusal {
  if (error.code === NOT_ENOUGH_PLACES) {
    const left = Number(error.details);
    return left === 0
      ? refused("That date is full: the last place has just gone. Choose another date.", "course_id")
      : refused(`Only ${left} ${left === 1 ? "place is" : "places are"} left on that date.`, "places");
  }
  if (error.code === DATE_CANCELLED) return refused("That date is cancelled and takes no bookings. Choose another.", "course_id");
  if (error.code === FOREIGN_KEY_VIOLATION) return refused("That date was deleted meanwhile. Choose another.", "course_id");
  return refused(`Failed to ${verb} booking: ${error.message}`);
}

function isPerson(value: unknown): value is Person {
  return typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";
}

function byName(a: Pick<Booking, "name">, b: Pick<Booking, "name">): number {
  return names.compare(a.name, b.name);
}
