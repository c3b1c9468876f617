import type { Database } from "../../../../supabase/database.types.ts";
import type { BookedDate } from "./bookable-date.ts";
import { isPast, type StatusColumns } from "./course-date-status.ts";

type WaitingRow = Database["public"]["Tables"]["waiting_list"]["Row"];

/** Returns the first entry that was not called yet and whose places are free. */
export function nextToCall<Entry extends Pick<WaitingRow, "position" | "called_at" | "places">>(
  entries: readonly Entry[],
  date: StatusColumns & Pick<BookedDate, "places_left">,
): Entry | undefined {
  if (date.status === "cancelled" || isPast(date)) return undefined;
  return entries
    .toSorted((a, b) => a.position - b.position)
    .find(({ called_at, places }) => called_at === null && places <= (date.places_left ?? 0));
}
