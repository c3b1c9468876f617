import * as SQLSTATE from "backend/sqlstates.ts";
import { nationalNumber } from "content/national-number.ts";
import { href } from "react-router";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { runningDays } from "../../time/last-day.ts";
import { addDays, startOfDay } from "../../time/london-time.ts";
import { isPast } from "../bookable-dates/course-date-status.ts";
import { BOOKED_DATE, dateInWords, type BookableDate } from "../bookable-dates/bookable-date.ts";
import { parseForm } from "../forms/fields.ts";
import { question } from "../forms/question.ts";
import { counted } from "../frame/counted.ts";
import { done, refused, type Loaded, type Outcome, type Refusal } from "../frame/outcome.ts";
import { ALL, jsonRows, readList } from "../lists/read-list.ts";
import { firstIdOf, insertOnce } from "../records/insert-once.ts";
import type { ServiceError } from "../records/save-record.ts";
import { mayRunOn } from "../time/running-dates.ts";
import { addWaiting } from "./waiting-list/add-waiting.ts";
import { bookingFields, type Booking, type BookingValues, type Person } from "./fields.ts";

/** Selects the bookings of one course date, of dates since or before a time, of those that run on some days, the unpaid ones of dates that are not cancelled, or all. */
export type Scope = { date: string } | { since: string } | { before: string } | { days: readonly string[] } | "unpaid" | "all";

/** The columns of a booking with its course date. */
export const WITH_DATE = `*, course_dates!inner(${BOOKED_DATE})` as const;
const names = new Intl.Collator("en-GB");
const sameNames = new Intl.Collator("en-GB", { sensitivity: "accent" });

/** Lists the bookings of a scope by date and name, those of recent dates after those to come. It reads them through their course dates, so that every scope uses an index. */
export async function listBookings(supabase: BrowserSupabase, scope: Scope): Promise<Loaded<Booking>> {
  const result = await readList("bookings", (from, to) => {
    const query = supabase
      .from("course_dates")
      .select(`${BOOKED_DATE}, bookings!inner(*)`)
      .order("course_date", { ascending: typeof scope === "string" || !("before" in scope) })
      .order("id")
      .range(from, to);
    if (scope === "all") return query;
    if (scope === "unpaid") return query.eq("bookings.status", "active").eq("bookings.payment_status", "due").neq("status", "cancelled");
    if ("before" in scope) return query.lt("course_date", scope.before);
    if ("days" in scope) {
      const [first = "", last = ""] = [scope.days[0], scope.days.at(-1)];
      return query.lt("course_date", startOfDay(addDays(last, 1))).or(mayRunOn(first));
    }
    return "date" in scope ? query.eq("id", scope.date) : query.gte("course_date", scope.since);
  });
  if (!result.ok) return result;
  const days = typeof scope === "object" && "days" in scope ? new Set(scope.days) : null;
  const dates = days ? result.rows.filter((date) => runningDays(date).some((day) => days.has(day))) : result.rows;
  const rows = dates.flatMap(({ bookings, ...course_dates }) =>
    bookings.toSorted(byName).map((booking) => Object.assign(booking, { course_dates })),
  );
  if (typeof scope === "string" || !("since" in scope)) return { ok: true, rows };
  const [coming, recent] = [
    rows.filter(({ course_dates }) => !isPast(course_dates)),
    rows.filter(({ course_dates }) => isPast(course_dates)),
  ];
  return { ok: true, rows: [...coming, ...recent] };
}

/** Reads one booking; no row if it was deleted. */
export function readBooking(supabase: BrowserSupabase, id: string): Promise<Loaded<Booking>> {
  return readList("booking", () => supabase.from("bookings").select(WITH_DATE).eq("id", id), ALL);
}

/** Finds bookings of dates before a time, by the beginnings of the words of a name, company or e-mail, or by a phone number. */
export async function searchBookings(supabase: BrowserSupabase, search: { words: string; before: string }): Promise<Booking[]> {
  const { data } = await jsonRows<Booking>(supabase.rpc("search_bookings", search));
  return data ?? [];
}

/** Adds the booking of a form; the enquiry it answers is marked as booked. The message names the date if it is one of `dates`. */
export async function addBooking(
  supabase: BrowserSupabase,
  form: FormData,
  enquiryId?: string,
  dates: readonly BookableDate[] = [],
): Promise<Outcome> {
  const checked = parseForm(bookingFields, form);
  if (!checked.ok) return checked;
  const again = await askAgain(supabase, form, checked.value, firstIdOf(form));
  if (again) return again;
  const origin = enquiryId === undefined ? {} : { enquiry_id: enquiryId };
  const { error } = await insertOnce(supabase, "bookings", form, [{ ...checked.value, ...origin }]);
  if (error?.code === SQLSTATE.unprocessableContent) {
    const next = { to: `${href("/admin/enquiries")}?open=${enquiryId}`, label: "Show the enquiry" };
    return { ...refused("Somebody else has booked this enquiry. Nothing was booked twice."), next };
  }
  // The enquiry or the date was deleted. Without the enquiry the booking is still wanted.
  if (error?.code === SQLSTATE.foreignKeyViolation && enquiryId !== undefined) return addBooking(supabase, form, undefined, dates);
  if (error?.code === SQLSTATE.conflict) return offerWaitingList(supabase, form, checked.value.name, Number(error.details));
  if (error) return failed("add", error);
  const date = dates.find(({ id }) => id === checked.value.course_id);
  return { ...done(`Booking added for ${checked.value.name}${date ? `: ${dateInWords(date)}` : ""}.`), record: firstIdOf(form) };
}

/** Asks whether to add the person of a refused booking to the waiting list; adds them if the form answers that. */
async function offerWaitingList(supabase: BrowserSupabase, form: FormData, name: string, left: number): Promise<Outcome> {
  const refusal = left === 0 ? "That date is full." : `Only ${counted(left, "place is", "places are")} left on that date.`;
  const otherwise = left === 0 ? "Choose another date" : "Book fewer places";
  const offer = question(form, `${refusal} ${otherwise}, or add ${name} to its waiting list.`, "Add to the waiting list");
  return offer ? { ...offer, stale: true } : addWaiting(supabase, form);
}

/** Asks whether to book a person again who is already booked on the date; `ownId` is the id of the booking itself. */
export async function askAgain(
  supabase: BrowserSupabase,
  form: FormData,
  { name, course_id, phone, email, status }: BookingValues,
  ownId: string,
): Promise<Refusal | null> {
  if (status !== "active") return null;
  const { data } = await supabase.from("bookings").select("id, name, phone, email").eq("course_id", course_id).eq("status", "active");
  const isBooked = data?.some(
    (other) =>
      other.id.replaceAll("-", "") !== ownId.replaceAll("-", "") &&
      sameNames.compare(other.name.trim(), name) === 0 &&
      isSameContact({ phone, email }, other),
  );
  return isBooked ? question(form, `${name} is already booked on this date. Book again?`, "Book again") : null;
}

type Contact = Pick<Booking, "phone" | "email">;

/** True if two people share a phone number or an e-mail address. */
function isSameContact(one: Contact, other: Contact): boolean {
  const samePhone = one.phone !== null && other.phone !== null && nationalNumber(one.phone) === nationalNumber(other.phone);
  return samePhone || (one.email !== null && one.email.toLowerCase() === other.email?.toLowerCase());
}

/** Finds people who booked before, by prefixes of their name, company, e-mail or phone number. */
export async function findPeople(supabase: BrowserSupabase, words: string): Promise<Person[]> {
  const { data } = await jsonRows<Person>(supabase.rpc("find_people", { words }));
  // A failed search must not prevent entering a name.
  return data ?? [];
}

/** The refusal of a write to the bookings; `verb` names the action in the message. */
export function failed(verb: string, error: ServiceError): Refusal {
  if (error.code === SQLSTATE.conflict) {
    const left = Number(error.details);
    return left === 0
      ? { ...refused("That date is full: the last place was just booked. Choose another date.", "course_id"), stale: true }
      : { ...refused(`Only ${counted(left, "place is", "places are")} left on that date.`, "places"), stale: true };
  }
  if (error.code === SQLSTATE.gone)
    return { ...refused("That date is cancelled and takes no bookings. Choose another.", "course_id"), stale: true };
  if (error.code === SQLSTATE.foreignKeyViolation)
    return { ...refused("That date was deleted. Choose another.", "course_id"), stale: true };
  return refused(`Failed to ${verb} booking: ${error.message}`);
}

function byName(a: Pick<Booking, "name">, b: Pick<Booking, "name">): number {
  return names.compare(a.name, b.name);
}
