import type { Database } from "../../../../supabase/database.types.ts";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { DAY_MS } from "../../time/durations.ts";
import { lastDayOf } from "../../time/last-day.ts";
import { addDays, londonToday, startOfDay } from "../../time/london-time.ts";
import { jsonRows, readList } from "../lists/read-list.ts";
import { mayRunOn } from "../time/running-dates.ts";
import { nextToCall } from "../bookable-dates/next-to-call.ts";

type Tables = Database["public"]["Tables"];
type CourseDate = Tables["course_dates"]["Row"];

/** A course date that may have too few bookings. */
export type DashboardDate = Pick<CourseDate, "id" | "course_name" | "course_date" | "end_date" | "capacity" | "places_taken" | "status">;
/** A course date with its active bookings and its waiting list. */
export type RunningDate = DashboardDate & {
  bookings: readonly Pick<Tables["bookings"]["Row"], "name" | "places" | "payment_status">[];
  waiting_list: readonly { id: string }[];
};
/** A booking that is not paid, of a date that is not cancelled. */
interface Unpaid {
  id: string;
  name: string;
  date: Pick<CourseDate, "id" | "course_name" | "course_date">;
}
export type NewEnquiry = Pick<Tables["enquiries"]["Row"], "id" | "name" | "reply_to" | "course_name" | "places" | "created_at">;
/** The next person to call on the waiting list of a date with free places. */
interface NextToCall {
  id: string;
  name: string;
  contact: string;
  date: Pick<CourseDate, "id" | "course_name" | "course_date">;
}

/** A letter that failed, with the name of the person it is for. */
interface FailedLetter {
  id: string;
  name: string;
  due_at: string;
}

/** The result of the last backup check; `late` after a day without one. */
export type BackupState =
  | { state: "none" }
  | { state: "checked"; checked_at: string; row_count: number }
  | { state: "failed"; checked_at: string; problem: string }
  | { state: "late"; checked_at: string };

/** The first rows of a part of the dashboard and the total number of rows; or the error message. */
export type Part<Row> = { ok: true; rows: readonly Row[]; total: number } | { ok: false; message: string };

/** The parts of the dashboard, each with its own request, so that an error in one does not affect the others. */
export interface Today {
  /** The first of the shown days, as `2026-11-22`. */
  firstDay: string;
  days: Promise<Part<RunningDate>>;
  enquiries: Promise<Part<NewEnquiry>>;
  waiting: Promise<Part<NextToCall>>;
  unpaid: Promise<Part<Unpaid>>;
  halfEmpty: Promise<Part<DashboardDate>>;
  letters: Promise<Part<FailedLetter>>;
  /** No row if there is nothing to say yet. */
  backups: Promise<Part<BackupState>>;
  /** One course date of any day, if there is one. */
  any: Promise<Part<{ id: string }>>;
}

/** The days shown one by one, from today on. */
export const SHOWN_DAYS = 7;
/** Days in which a date with few bookings is confirmed or cancelled. */
const DECISION_DAYS = 14;
/** The rows shown; each part links to its whole list. */
const MOST = 5;
const DATE = "id, course_name, course_date, end_date, capacity, places_taken, status";

/** Requests all parts of the dashboard; `now` in milliseconds. */
export function loadToday(supabase: BrowserSupabase, now: number): Today {
  const firstDay = londonToday(now);
  const coming = new Date(now).toISOString();
  return {
    firstDay,
    days: read(
      supabase
        .from("course_dates")
        .select(`${DATE}, bookings(name, places, payment_status), waiting_list(id)`)
        .eq("bookings.status", "active")
        .lt("course_date", startOfDay(addDays(firstDay, SHOWN_DAYS)))
        .or(mayRunOn(firstDay))
        .order("course_date")
        .order("id"),
      (rows) => rows.filter((date) => lastDayOf(date) >= firstDay),
      Infinity,
    ),
    enquiries: read(
      supabase
        .from("enquiries")
        .select("id, name, reply_to, course_name, places, created_at", { count: "exact" })
        .eq("status", "new")
        .order("created_at", { ascending: false })
        .order("id")
        .limit(MOST),
      (rows) => rows,
    ),
    waiting: read(
      supabase
        .from("course_dates")
        .select(`${DATE}, places_left, waiting_list!inner(id, name, phone, email, places, position, called_at)`)
        .gte("course_date", coming)
        .gt("places_left", 0)
        .order("course_date")
        .order("id"),
      (rows) =>
        rows.flatMap((date) => {
          const next = nextToCall(date.waiting_list, date);
          return next ? { id: next.id, name: next.name, contact: next.phone ?? next.email ?? "", date } : [];
        }),
    ),
    unpaid: readUnpaid(supabase),
    halfEmpty: read(
      supabase
        .from("course_dates")
        .select(DATE)
        .gte("course_date", coming)
        .lt("course_date", new Date(now + DECISION_DAYS * DAY_MS).toISOString())
        .eq("status", "open")
        .order("course_date")
        .order("id"),
      // Compares two columns, which the REST API cannot do.
      (rows) => rows.filter(({ places_taken, capacity }) => places_taken * 2 < capacity),
    ),
    letters: read(
      supabase
        .from("letters")
        .select("id, due_at, bookings(name), waiting_list(name), enquiries(name)", { count: "exact" })
        .eq("state", "failed")
        .order("due_at", { ascending: false })
        .order("id")
        .limit(MOST),
      (rows) =>
        rows.map(({ id, due_at, bookings, waiting_list, enquiries }) => ({
          id,
          due_at,
          name: (bookings ?? waiting_list ?? enquiries)?.name ?? "",
        })),
    ),
    backups: read(
      jsonRows<BackupState>(supabase.rpc("backup_state")).then((result) => ({ ...result, count: null })),
      (rows) => rows,
    ),
    any: read(supabase.from("course_dates").select("id").limit(1), (rows) => rows),
  };
}

/** Reads all unpaid bookings, in pages: their number is exact. Selected by course dates, which are fewer than bookings and have an index. */
async function readUnpaid(supabase: BrowserSupabase): Promise<Part<Unpaid>> {
  const dates = await readList("unpaid bookings", (from, to) =>
    supabase
      .from("course_dates")
      .select("id, course_name, course_date, bookings!inner(id, name)")
      .eq("bookings.status", "active")
      .eq("bookings.payment_status", "due")
      .neq("status", "cancelled")
      .order("course_date")
      .order("id")
      .range(from, to),
  );
  if (!dates.ok) return dates;
  const rows = dates.rows.flatMap(({ bookings, ...date }) => bookings.map((booking) => ({ ...booking, date })));
  return { ok: true, rows: rows.slice(0, MOST), total: rows.length };
}

interface Result<Row> {
  data: Row[] | null;
  count: number | null;
  error: { message: string } | null;
}

async function read<Found, Row>(query: PromiseLike<Result<Found>>, rowsOf: (found: Found[]) => Row[], most = MOST): Promise<Part<Row>> {
  try {
    const { data, count, error } = await query;
    if (error) return { ok: false, message: error.message };
    const rows = rowsOf(data ?? []);
    return { ok: true, rows: rows.slice(0, most), total: count ?? rows.length };
  } catch (error) {
    reportError(error);
    return { ok: false, message: "The service could not be reached." };
  }
}
