import type { Database } from "../../../../supabase/database.types.ts";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { addDays, startOfDay } from "../../time/london-time.ts";
import { londonDate, londonWeekday } from "../../time/london-date.ts";
import type { Loaded } from "../frame/outcome.ts";
import { readList } from "../lists/read-list.ts";
import { mayRunOn } from "../time/running-dates.ts";

type Tables = Database["public"]["Tables"];
/** A course date of the calendar. */
export type CalendarDate = Pick<
  Tables["course_dates"]["Row"],
  "id" | "course_name" | "course_date" | "end_date" | "status" | "trainer_id" | "capacity" | "places_taken" | "updated_at"
>;

export const CALENDAR_COLUMNS = "id, course_name, course_date, end_date, status, trainer_id, capacity, places_taken, updated_at";

/** Lists the course dates that may run on these days, the earliest first. */
export function listDates(supabase: BrowserSupabase, days: readonly string[]): Promise<Loaded<CalendarDate>> {
  const [first = "", last = ""] = [days[0], days.at(-1)];
  return readList("course dates", (from, to) =>
    supabase
      .from("course_dates")
      .select(CALENDAR_COLUMNS)
      .lt("course_date", startOfDay(addDays(last, 1)))
      .or(mayRunOn(first))
      .order("course_date")
      .order("id")
      .range(from, to),
  );
}

/** "Mon 30 Nov 2026" */
export function dayInWords(iso: string): string {
  return londonWeekday(londonDate(iso));
}
