import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { bankHoliday } from "../../time/bank-holidays.ts";
import { officeClosure } from "../../time/closed-days.ts";
import { daysBefore } from "../../time/durations.ts";
import { lastDayOf, LONGEST_DAYS } from "../../time/last-day.ts";
import { londonDate, londonWeekday } from "../../time/london-date.ts";
import { londonToday, toLondonTime } from "../../time/london-time.ts";
import { trainerClashes } from "../bookable-dates/trainer-clashes.ts";
import { question } from "../forms/question.ts";
import type { Refusal } from "../frame/outcome.ts";
import type { CourseDateValues } from "./fields.ts";

const DAY_BEGINS = "07:00";
const DAY_ENDS = "21:00";
const WEEKEND: ReadonlySet<string> = new Set(["Sat", "Sun"]);

/** The save that a question is about. */
interface Saving {
  /** The label of the button that answers the question. */
  confirm: string;
  /** The id of the first date. */
  ownId: string | undefined;
  /** False for a changed date whose days and course stay. */
  isMoved?: boolean;
}

/** Asks about dates in the past, at weekends, on bank holidays, at night, while the same course runs, or at which the trainer is busy; null if there are none. */
export async function questionOddDates(
  supabase: BrowserSupabase,
  form: FormData,
  dates: readonly CourseDateValues[],
  { confirm, ownId, isMoved = true }: Saving,
): Promise<Refusal | null> {
  const isOwn = (id: string): boolean => ownId !== undefined && formPartOf(id) === formPartOf(ownId);
  const clash = await trainerClashes(supabase, dates, isOwn);
  const sentences = [...(isMoved ? await oddities(supabase, dates, isOwn) : []), ...(clash === null ? [] : [clash])];
  if (sentences.length === 0) return null;
  return question(form, `${sentences.join(" ")} ${confirm}?`, confirm);
}

async function oddities(
  supabase: BrowserSupabase,
  dates: readonly CourseDateValues[],
  isOwn: (id: string) => boolean,
): Promise<readonly string[]> {
  const today = londonToday(Date.now());
  const clashes = await datesOfRunningCourse(supabase, dates, isOwn);
  return [
    sentence(startsOf(dates.filter((date) => dayOf(date) < today)), "in the past"),
    sentence(startsOf(dates.filter(({ course_date }) => WEEKEND.has(londonDate(course_date).weekday))), "at a weekend"),
    sentence(startsOf(dates.filter((date) => bankHoliday(dayOf(date)) !== undefined)), "on a bank holiday"),
    sentence(startsOf(dates.filter((date) => isClosure(dayOf(date)))), "on a day when the office is closed"),
    nightSentence(dates),
    clashes.length > 0 && `${dates[0]?.course_name} already runs on ${list(startsOf(clashes))}.`,
  ].filter((each) => each !== false);
}

/** The starts as "Mon 30 Nov 2026". */
export function startsOf(dates: readonly Pick<CourseDateValues, "course_date">[]): string[] {
  return dates.map(({ course_date }) => londonWeekday(londonDate(course_date)));
}

/** Returns the dates that start while another date of the course runs. */
export async function datesOfRunningCourse(
  supabase: BrowserSupabase,
  dates: readonly CourseDateValues[],
  isOwn: (id: string) => boolean = () => false,
): Promise<readonly CourseDateValues[]> {
  const [first, last] = [dates[0], dates.at(-1)];
  if (!first || !last) return [];
  const { data } = await supabase
    .from("course_dates")
    .select("id, course_name, course_date, end_date")
    .eq("course_name", first.course_name)
    .neq("status", "cancelled")
    .gte("course_date", daysBefore(Date.parse(first.course_date), LONGEST_DAYS))
    .lt("course_date", daysBefore(Date.parse(last.course_date), -1));
  // A failed read must not prevent saving.
  const running = (data ?? []).filter(({ id }) => !isOwn(id));
  return dates.filter((date) => running.some((other) => dayOf(other) <= dayOf(date) && dayOf(date) <= lastDayOf(other)));
}

/** The part of an id that the records of one form share, so that a retry does not ask about its own dates. */
function formPartOf(id: string): string {
  return id.replaceAll("-", "").slice(0, -2);
}

function isClosure(day: string): boolean {
  return bankHoliday(day) === undefined && officeClosure(day) !== undefined;
}

function dayOf({ course_date }: Pick<CourseDateValues, "course_date">): string {
  return londonToday(Date.parse(course_date));
}

function sentence(days: readonly string[], what: string): string | false {
  return days.length > 0 && `${list(days)} ${days.length === 1 ? "is" : "are"} ${what}.`;
}

function nightSentence(dates: readonly CourseDateValues[]): string | false {
  const times = new Set(dates.map(({ course_date }) => toLondonTime(new Date(course_date)).slice(-DAY_BEGINS.length)));
  const atNight = [...times].filter((time) => time < DAY_BEGINS || time > DAY_ENDS);
  return atNight.length > 0 && `${list(atNight)} is at night.`;
}

function list(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
