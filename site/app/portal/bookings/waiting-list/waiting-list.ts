import type { Database } from "../../../../../supabase/database.types.ts";
import type { BrowserSupabase } from "../../../supabase/supabase.client.ts";
import { isPast, type StatusColumns } from "../../time/course-date-status.ts";
import type { Loaded, Outcome } from "../../frame/outcome.ts";
import { readList } from "../../lists/read-list.ts";
import { BOOKED_DATE, type BookableDate } from "../schema.ts";

type Tables = Database["public"]["Tables"];

/** Somebody who waits for a place on a date. */
export type WaitingEntry = Tables["waiting_list"]["Row"] & {
  course_dates: Pick<Tables["course_dates"]["Row"], "course_name" | "course_date">;
};

/** Who waits for a date, in order. */
export function listWaiting(supabase: BrowserSupabase, dateId: string): Promise<Loaded<WaitingEntry>> {
  return readList("the waiting list", (from, to) =>
    supabase
      .from("waiting_list")
      .select("*, course_dates(course_name, course_date)")
      .eq("course_id", dateId)
      .order("position")
      .range(from, to),
  );
}

/** What came of something that may have freed places on a date, and who is to be called about them; `shownId` is the date that is seen. */
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
  const told = { ...outcome, message: `${outcome.message} Next to call: ${nextInWords(next)}.` };
  return dateId === shownId ? told : { ...told, next: { to: `/admin/bookings?date=${dateId}`, label: "Show the waiting list" } };
}

/** Who is to be called first: the first in the line who was not yet, and whose places are there. */
export function nextToCall<Entry extends Pick<WaitingEntry, "position" | "called_at" | "places">>(
  entries: readonly Entry[],
  date: StatusColumns & Pick<BookableDate, "places_left">,
): Entry | undefined {
  if (date.status === "cancelled" || isPast(date)) return undefined;
  return entries
    .toSorted((a, b) => a.position - b.position)
    .find(({ called_at, places }) => called_at === null && places <= (date.places_left ?? 0));
}

/** "Ada Fell, 07700 900 123, 2 places" */
export function nextInWords({ name, phone, email, places }: Pick<WaitingEntry, "name" | "phone" | "email" | "places">): string {
  return [name, phone ?? email, `${places} ${places === 1 ? "place" : "places"}`].join(", ");
}
