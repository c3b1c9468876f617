import { href } from "react-router";
import type { Database } from "../../../../../supabase/database.types.ts";
import type { BrowserSupabase } from "../../../supabase/supabase.client.ts";
import { BOOKED_DATE } from "../../bookable-dates/bookable-date.ts";
import { nextToCall } from "../../bookable-dates/next-to-call.ts";
import { counted } from "../../frame/counted.ts";
import type { Loaded, Outcome } from "../../frame/outcome.ts";
import { readList } from "../../lists/read-list.ts";

type Tables = Database["public"]["Tables"];

/** An entry of a waiting list with its course date. */
export type WaitingEntry = Tables["waiting_list"]["Row"] & {
  course_dates: Pick<Tables["course_dates"]["Row"], "course_name" | "course_date" | "status">;
};

/** The columns of an entry with its course date. */
export const WITH_DATE = "*, course_dates(course_name, course_date, status)";

/** Lists the entries of a course date in their order. */
export function listWaiting(supabase: BrowserSupabase, dateId: string): Promise<Loaded<WaitingEntry>> {
  return readList("the waiting list", (from, to) =>
    supabase.from("waiting_list").select(WITH_DATE).eq("course_id", dateId).order("position").range(from, to),
  );
}

/** Runs an action that may free places on a date and adds the person to call next to its message; `shownId` is the selected date. */
export async function withNextToCall(
  supabase: BrowserSupabase,
  dateId: string,
  shownId: string | null,
  freeing: Promise<Outcome>,
): Promise<Outcome> {
  const outcome = await freeing;
  if (!outcome.ok) return outcome;
  const { data } = await supabase.from("course_dates").select(`${BOOKED_DATE}, waiting_list(*)`).eq("id", dateId);
  const next = data?.[0] && nextToCall(data[0].waiting_list, data[0]);
  if (!next) return outcome;
  const withNext = { ...outcome, message: `${outcome.message} Next to call: ${nextInWords(next)}.` };
  return dateId === shownId
    ? withNext
    : { ...withNext, next: { to: `${href("/admin/bookings")}?date=${dateId}`, label: "Show the waiting list" } };
}

/** "Ada Fell, 07700 900 123, 2 places" */
export function nextInWords({ name, phone, email, places }: Pick<WaitingEntry, "name" | "phone" | "email" | "places">): string {
  return [name, phone ?? email, counted(places, "place")].join(", ");
}
