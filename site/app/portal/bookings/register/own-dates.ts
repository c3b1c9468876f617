import type { BrowserSupabase } from "../../../supabase/supabase.client.ts";
import { listBookableDates, recentSince, type BookableDate } from "../../bookable-dates/bookable-date.ts";
import { isPast } from "../../bookable-dates/course-date-status.ts";
import type { Loaded } from "../../frame/outcome.ts";

/** Lists the course dates of a trainer: the upcoming ones, the next one first, then the recent ones. */
export async function listOwnDates(supabase: BrowserSupabase, trainer: string): Promise<Loaded<BookableDate>> {
  const result = await listBookableDates(supabase, { since: recentSince(Date.now()), trainer });
  if (!result.ok) return result;
  const rows = result.rows.toSorted((a, b) => Date.parse(a.course_date) - Date.parse(b.course_date));
  return { ok: true, rows: [...rows.filter((date) => !isPast(date)), ...rows.filter((date) => isPast(date))] };
}
