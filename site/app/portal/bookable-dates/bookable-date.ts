import type { Database } from "../../../../supabase/database.types.ts";
import { readList } from "../lists/read-list.ts";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { daysBefore } from "../../time/durations.ts";
import { londonDate, londonMoment } from "../../time/london-date.ts";
import type { Loaded } from "../frame/outcome.ts";
import type { StatusColumns } from "./course-date-status.ts";

type CourseDateRow = Database["public"]["Tables"]["course_dates"]["Row"];

/** Covers the longest course and its unpaid bookings. */
const RECENT_DAYS = 30;

/** The columns of a course date that are read with a booking. */
export const BOOKED_DATE = "course_name, course_date, end_date, capacity, places_left, status";
export type BookedDate = StatusColumns & Pick<CourseDateRow, "course_name" | "capacity" | "places_left">;

/** A course date with its places left and its waiting list. */
export type BookableDate = BookedDate & { id: string; waiting_list: readonly { id: string }[] };
/** A bookable date with the account of its trainer. */
export type DateWithTrainer = BookableDate & Pick<CourseDateRow, "trainer_id">;

/** Selects course dates that start at or after a time, one by its id, or both together; with `trainer` only those of that account. */
interface DateScope {
  since?: string;
  id?: string | null;
  trainer?: string;
}

/** The start of the recent course dates as ISO text; `now` in milliseconds. */
export function recentSince(now: number): string {
  return daysBefore(now, RECENT_DAYS);
}

/** Reads the course dates of a scope, by course and start. */
export function listBookableDates(supabase: BrowserSupabase, { since, id, trainer }: DateScope): Promise<Loaded<DateWithTrainer>> {
  const wanted = [since === undefined ? [] : `course_date.gte."${since}"`, id ? `id.eq.${id}` : []].flat().join(",");
  return readList("course dates", (from, to) => {
    const query = supabase
      .from("course_dates")
      .select(`id, trainer_id, ${BOOKED_DATE}, waiting_list(id)`)
      .or(wanted)
      .order("course_name")
      .order("course_date")
      .order("id")
      .range(from, to);
    return trainer === undefined ? query : query.eq("trainer_id", trainer);
  });
}

/** "Lvl 2 CCTV, Mon 30 Nov 2026, 09:00" */
export function dateInWords({ course_name, course_date }: Pick<CourseDateRow, "course_name" | "course_date">): string {
  const date = londonDate(course_date);
  return `${course_name}, ${date.weekday} ${londonMoment(date)}`;
}
