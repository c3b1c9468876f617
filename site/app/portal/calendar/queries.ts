import type { Database } from "../../../../supabase/database.types.ts";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { DAY_MS, daysBefore } from "../../time/durations.ts";
import { LONGEST_DAYS } from "../../time/last-day.ts";
import { addDays, fromLondonTime, londonToday, startOfDay, toLondonTime } from "../../time/london-time.ts";
import { londonDate } from "../../time/london-date.ts";
import { done, refused, type Loaded, type Outcome } from "../frame/outcome.ts";
import { readList } from "../lists/read-list.ts";

type Tables = Database["public"]["Tables"];
/** A course date of the calendar. */
export type CalendarDate = Pick<
  Tables["course_dates"]["Row"],
  "id" | "course_name" | "course_date" | "end_date" | "status" | "capacity" | "places_taken" | "updated_at"
>;
export type BookedPerson = Pick<Tables["bookings"]["Row"], "id" | "name" | "phone" | "email">;

const COLUMNS = "id, course_name, course_date, end_date, status, capacity, places_taken, updated_at";

/** Lists the course dates that may run on these days, the earliest first. */
export function listDates(supabase: BrowserSupabase, days: readonly string[]): Promise<Loaded<CalendarDate>> {
  const [first = "", last = ""] = [days[0], days.at(-1)];
  return readList("course dates", (from, to) =>
    supabase
      .from("course_dates")
      .select(COLUMNS)
      .lt("course_date", startOfDay(addDays(last, 1)))
      // Dates without a last day may still run if they began no longer ago than the longest course takes.
      .or(`course_date.gte."${daysBefore(Date.parse(startOfDay(first)), LONGEST_DAYS)}",end_date.gte."${first}"`)
      .order("course_date")
      .order("id")
      .range(from, to),
  );
}

/** Lists the people with an active booking of a course date. */
export function listBooked(supabase: BrowserSupabase, dateId: string): Promise<Loaded<BookedPerson>> {
  return readList("bookings", (from, to) =>
    supabase
      .from("bookings")
      .select("id, name, phone, email")
      .eq("course_id", dateId)
      .eq("status", "active")
      .order("name")
      .order("id")
      .range(from, to),
  );
}

/** Moves a course date to another day at the same time of day; its last day moves as far. */
export async function moveDate(supabase: BrowserSupabase, date: CalendarDate, day: string): Promise<Outcome> {
  const start = fromLondonTime(`${day}T${toLondonTime(new Date(date.course_date)).slice(11)}`);
  if (!start) return refused("That time does not exist on that day, because the clocks change. Choose another day.", "day");
  const from = londonToday(Date.parse(date.course_date));
  const shift = (Date.parse(day) - Date.parse(from)) / DAY_MS;
  const end_date = date.end_date === null ? null : addDays(date.end_date, shift);
  const moved = await save(supabase, date, { course_date: start.toISOString(), end_date });
  if (typeof moved === "string") return refused(moved);
  return {
    ...done(`${date.course_name} moved to ${dayInWords(day)}.`),
    async undo() {
      const back = await save(supabase, moved, { course_date: date.course_date, end_date: date.end_date });
      return typeof back === "string" ? refused(back) : done(`${date.course_name} moved back to ${dayInWords(from)}.`);
    },
  };
}

/** Saves new days unless somebody else changed the date meanwhile; returns the saved date or the error message. */
async function save(
  supabase: BrowserSupabase,
  { id, updated_at }: CalendarDate,
  values: Pick<CalendarDate, "course_date" | "end_date">,
): Promise<CalendarDate | string> {
  const { data, error } = await supabase.from("course_dates").update(values).eq("id", id).eq("updated_at", updated_at).select(COLUMNS);
  if (error) return `Failed to move course date: ${error.message}`;
  return data[0] ?? "Somebody else changed or deleted this course date. Nothing was moved.";
}

/** "Mon 30 Nov 2026" */
export function dayInWords(iso: string): string {
  const { weekday, day, month, year } = londonDate(iso);
  return `${weekday} ${day} ${month} ${year}`;
}
