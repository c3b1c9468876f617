import type { Database } from "../../../../supabase/database.types.ts";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { daysBefore } from "../../time/durations.ts";
import { LONGEST_DAYS, runningDays } from "../../time/last-day.ts";
import { londonDate, londonWeekday } from "../../time/london-date.ts";
import { startAndEnd } from "../../time/teaching-hours.ts";
import { accountInWords, listPeople } from "../lists/people.ts";

/** The part of a course date that decides when its trainer is busy. */
type TaughtDate = Pick<
  Database["public"]["Tables"]["course_dates"]["Row"],
  "course_name" | "course_date" | "end_date" | "trainer_id" | "status"
>;

/** Describes the other dates that the trainer of these dates teaches at the same hours; null if there are none. `isOwn` is true for the ids of these dates. */
export async function trainerClashes(
  supabase: BrowserSupabase,
  dates: readonly TaughtDate[],
  isOwn: (id: string) => boolean,
): Promise<string | null> {
  const taught = dates.filter(({ trainer_id, status }) => trainer_id !== null && status !== "cancelled");
  const [first, last] = [taught[0], taught.at(-1)];
  if (!first?.trainer_id || !last) return null;
  const { data } = await supabase
    .from("course_dates")
    .select("id, course_name, course_date, end_date, trainer_id, status")
    .eq("trainer_id", first.trainer_id)
    .neq("status", "cancelled")
    .gte("course_date", daysBefore(Date.parse(first.course_date), LONGEST_DAYS))
    .lt("course_date", daysBefore(Date.parse(last.course_date), -LONGEST_DAYS))
    .order("course_date")
    .order("id");
  // A failed read must not prevent saving.
  const clashes = (data ?? []).filter((other) => !isOwn(other.id) && taught.some((date) => isAtOnce(date, other)));
  if (clashes.length === 0) return null;
  const people = await listPeople(supabase);
  const trainer = people.ok ? accountInWords(people.rows, first.trainer_id) : "The trainer";
  return `${trainer} also teaches ${clashes.map(inWords).join(" and ")}.`;
}

function isAtOnce(one: TaughtDate, other: TaughtDate): boolean {
  const [hours, others] = [startAndEnd(one), startAndEnd(other)];
  const days = new Set(runningDays(other));
  return hours.start < others.end && others.start < hours.end && runningDays(one).some((day) => days.has(day));
}

/** "Lvl 2 CCTV on Mon 3 Mar 2031 at 09:00" */
function inWords({ course_name, course_date }: TaughtDate): string {
  const date = londonDate(course_date);
  return `${course_name} on ${londonWeekday(date)} at ${date.time}`;
}
