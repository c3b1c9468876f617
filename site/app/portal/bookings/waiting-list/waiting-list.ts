import { href } from "react-router";
import type { Database } from "../../../../../supabase/database.types.ts";
import type { BrowserSupabase } from "../../../supabase/supabase.client.ts";
import { BOOKED_DATE } from "../../bookable-dates/bookable-date.ts";
import { nextToCall } from "../../bookable-dates/next-to-call.ts";
import { counted } from "../../frame/counted.ts";
import type { Loaded, Outcome } from "../../frame/outcome.ts";
import { csvColumns, instantColumns, type CsvColumn } from "../../lists/csv.ts";
import { readList } from "../../lists/read-list.ts";
import { waitingFields } from "../fields.ts";

type Tables = Database["public"]["Tables"];

/** An entry of a waiting list with its course date. */
export type WaitingEntry = Tables["waiting_list"]["Row"] & {
  course_dates: Pick<Tables["course_dates"]["Row"], "course_name" | "course_date">;
};

const { course_id: _date, ...shownFields } = waitingFields;

/** The columns of the CSV file, which is in the order of the list; ids are last. */
export const waitingColumns: readonly CsvColumn<WaitingEntry>[] = [
  { heading: "Course", cell: ({ course_dates }) => course_dates.course_name },
  ...instantColumns<WaitingEntry>("Starts", ({ course_dates }) => course_dates.course_date),
  { heading: "Order", cell: ({ position }) => position },
  ...csvColumns(shownFields),
  ...instantColumns<WaitingEntry>("Called", ({ called_at }) => called_at),
  ...instantColumns<WaitingEntry>("Waiting since", ({ created_at }) => created_at),
  ...instantColumns<WaitingEntry>("Changed", ({ updated_at }) => updated_at),
  { heading: "Entry id", cell: ({ id }) => id },
  { heading: "Date id", cell: ({ course_id }) => course_id },
  { heading: "Changed by, id", cell: ({ updated_by }) => updated_by },
];

/** Lists the entries of a course date in their order. */
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
