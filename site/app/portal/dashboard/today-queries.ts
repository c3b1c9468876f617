import type { Database } from "../../../../supabase/database.types.ts";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { recentSince } from "../bookable-dates/bookable-date.ts";
import { lastDayOf, LONGEST_DAYS } from "../../time/last-day.ts";
import { londonWeek } from "./week.ts";

type Tables = Database["public"]["Tables"];
export type RunningDate = Pick<
  Tables["course_dates"]["Row"],
  "id" | "course_name" | "course_date" | "end_date" | "capacity" | "places_taken" | "status"
>;
/** A booking that is not paid. */
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
const DAY_MS = 86_400_000;

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
        .or(`course_date.gte."${new Date(Date.parse(begin) - LONGEST_DAYS * DAY_MS).toISOString()}",end_date.gte."${firstDay}"`)
        .order("course_date")
        .order("id"),
    ).then((part) => onlyRunning(part, firstDay)),
    // Selected by course dates, which are fewer than bookings and have an index.
    unpaid: read(
      supabase
        .from("course_dates")
        .select("id, course_name, course_date, bookings!inner(id, name)")
        .eq("bookings.status", "active")
        .eq("bookings.payment_status", "due")
        .gte("course_date", recentSince(now))
        .order("course_date")
        .order("id"),
    ).then(eachBooking),
    enquiries: read(
      supabase
        .from("enquiries")
        .select("id, name, course_name, created_at", { count: "exact" })
        .eq("status", "new")
        .order("created_at", { ascending: false })
        .order("id")
        .limit(MOST),
    ),
    halfEmpty: read(
      supabase
        .from("course_dates")
        .select(DATE, { count: "exact" })
        .gte("course_date", new Date(now).toISOString())
        .lt("course_date", londonWeek(now, WEEKS_AHEAD).end)
        .in("status", ["open", "confirmed"])
        .order("course_date")
        .order("id"),
    ).then(onlyHalfEmpty),
  };
}

interface Answer<Row> {
  data: Row[] | null;
  count: number | null;
  error: { message: string } | null;
}

async function read<Row>(query: PromiseLike<Answer<Row>>): Promise<Part<Row>> {
  try {
    const { data, count, error } = await query;
    if (error) return { ok: false, message: error.message };
    return { ok: true, rows: data ?? [], total: count ?? data?.length ?? 0 };
  } catch (error) {
    reportError(error);
    return { ok: false, message: "The service could not be reached." };
  }
}

function eachBooking(part: Part<Unpaid["date"] & { bookings: readonly Pick<Unpaid, "id" | "name">[] }>): Part<Unpaid> {
  if (!part.ok) return part;
  const rows = part.rows.flatMap(({ bookings, ...date }) => bookings.map(({ id, name }) => ({ id, name, date })));
  return { ok: true, rows: rows.slice(0, MOST), total: rows.length };
}

function onlyRunning(part: Part<RunningDate>, firstDay: string): Part<RunningDate> {
  if (!part.ok) return part;
  const rows = part.rows.filter((date) => lastDayOf(date) >= firstDay);
  return { ok: true, rows, total: rows.length };
}

/** Compares two columns, which the REST API cannot do. */
function onlyHalfEmpty(part: Part<RunningDate>): Part<RunningDate> {
  if (!part.ok) return part;
  const rows = part.rows.filter(({ places_taken, capacity }) => places_taken * 2 < capacity);
  return { ok: true, rows: rows.slice(0, MOST), total: rows.length };
}
