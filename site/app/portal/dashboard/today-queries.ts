import type { Database } from "../../../../supabase/database.types.ts";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { daysBefore } from "../../time/durations.ts";
import { lastDayOf, LONGEST_DAYS } from "../../time/last-day.ts";
import { londonWeek } from "./week.ts";

type Tables = Database["public"]["Tables"];
export type RunningDate = Pick<
  Tables["course_dates"]["Row"],
  "id" | "course_name" | "course_date" | "end_date" | "capacity" | "places_taken" | "status"
>;
/** A booking that is not paid, of a date that is not cancelled. */
export interface Unpaid {
  id: string;
  name: string;
  date: Pick<RunningDate, "id" | "course_name" | "course_date">;
}
export type NewEnquiry = Pick<Tables["enquiries"]["Row"], "id" | "name" | "course_name" | "created_at">;

/** The first rows of a part of the dashboard and the total number of rows; or the error message. */
export type Part<Row> = { ok: true; rows: readonly Row[]; total: number } | { ok: false; message: string };

/** The parts of the dashboard, each with its own request, so that an error in one does not affect the others. */
export interface Today {
  week: Promise<Part<RunningDate>>;
  unpaid: Promise<Part<Unpaid>>;
  enquiries: Promise<Part<NewEnquiry>>;
  halfEmpty: Promise<Part<RunningDate>>;
}

/** The rows shown; each part links to its whole list. */
const MOST = 5;
/** Weeks after this one that are searched for dates under half full. */
const WEEKS_AHEAD = 5;
const DATE = "id, course_name, course_date, end_date, capacity, places_taken, status";

/** Requests all parts of the dashboard; `now` in milliseconds. */
export function loadToday(supabase: BrowserSupabase, now: number): Today {
  const { firstDay, begin, end } = londonWeek(now);
  return {
    week: read(
      supabase
        .from("course_dates")
        .select(DATE)
        .lt("course_date", end)
        // Dates without a last day may still run if they began no longer ago than the longest course takes.
        .or(`course_date.gte."${daysBefore(Date.parse(begin), LONGEST_DAYS)}",end_date.gte."${firstDay}"`)
        .order("course_date")
        .order("id"),
      (rows) => rows.filter((date) => lastDayOf(date) >= firstDay),
      Infinity,
    ),
    // Selected by course dates, which are fewer than bookings and have an index.
    unpaid: read(
      supabase
        .from("course_dates")
        .select("id, course_name, course_date, bookings!inner(id, name)")
        .eq("bookings.status", "active")
        .eq("bookings.payment_status", "due")
        .neq("status", "cancelled")
        .order("course_date")
        .order("id"),
      (rows) => rows.flatMap(({ bookings, ...date }) => bookings.map((booking) => ({ ...booking, date }))),
    ),
    enquiries: read(
      supabase
        .from("enquiries")
        .select("id, name, course_name, created_at", { count: "exact" })
        .eq("status", "new")
        .order("created_at", { ascending: false })
        .order("id")
        .limit(MOST),
      (rows) => rows,
    ),
    halfEmpty: read(
      supabase
        .from("course_dates")
        .select(DATE)
        .gte("course_date", new Date(now).toISOString())
        .lt("course_date", londonWeek(now, WEEKS_AHEAD).end)
        .in("status", ["open", "confirmed"])
        .order("course_date")
        .order("id"),
      // Compares two columns, which the REST API cannot do.
      (rows) => rows.filter(({ places_taken, capacity }) => places_taken * 2 < capacity),
    ),
  };
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
