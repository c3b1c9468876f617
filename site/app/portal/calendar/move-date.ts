import type { Database } from "../../../../supabase/database.types.ts";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { DAY_MS } from "../../time/durations.ts";
import { addDays, fromLondonTime, londonToday, toLondonTime } from "../../time/london-time.ts";
import { trainerClashes } from "../bookable-dates/trainer-clashes.ts";
import { done, refused, type Loaded, type Outcome } from "../frame/outcome.ts";
import { readList } from "../lists/read-list.ts";
import { CALENDAR_COLUMNS, dayInWords, type CalendarDate } from "./queries.ts";

type BookedPerson = Pick<Database["public"]["Tables"]["bookings"]["Row"], "id" | "name" | "phone" | "email">;

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
  const days = daysFrom(date, day);
  if (!days) return refused("That time does not exist on that day, because the clocks change. Choose another day.", "day");
  const from = londonToday(Date.parse(date.course_date));
  const moved = await save(supabase, date, days);
  if (typeof moved === "string") return refused(moved);
  return {
    ...done(`${date.course_name} moved to ${dayInWords(day)}.`),
    async undo() {
      const back = await save(supabase, moved, { course_date: date.course_date, end_date: date.end_date });
      return typeof back === "string" ? refused(back) : done(`${date.course_name} moved back to ${dayInWords(from)}.`);
    },
  };
}

/** Describes the other dates that the trainer would teach at the same hours if a date moved to another day; null if there are none. */
export async function trainerClashesOn(supabase: BrowserSupabase, date: CalendarDate, day: string): Promise<string | null> {
  const days = daysFrom(date, day);
  return days && trainerClashes(supabase, [{ ...date, ...days }], (id) => id === date.id);
}

/** The days of a date that starts on another day at the same time of day; null if that time does not exist. */
function daysFrom({ course_date, end_date }: CalendarDate, day: string): Pick<CalendarDate, "course_date" | "end_date"> | null {
  const start = fromLondonTime(`${day}T${toLondonTime(new Date(course_date)).slice(11)}`);
  const shift = (Date.parse(day) - Date.parse(londonToday(Date.parse(course_date)))) / DAY_MS;
  return start && { course_date: start.toISOString(), end_date: end_date === null ? null : addDays(end_date, shift) };
}

/** Saves new days unless somebody else changed the date meanwhile; returns the saved date or the error message. */
async function save(
  supabase: BrowserSupabase,
  { id, updated_at }: CalendarDate,
  values: Pick<CalendarDate, "course_date" | "end_date">,
): Promise<CalendarDate | string> {
  const { data, error } = await supabase
    .from("course_dates")
    .update(values)
    .eq("id", id)
    .eq("updated_at", updated_at)
    .select(CALENDAR_COLUMNS);
  if (error) return `Failed to move course date: ${error.message}`;
  return data[0] ?? "Somebody else changed or deleted this course date. Nothing was moved.";
}
