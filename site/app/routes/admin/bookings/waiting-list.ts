import type { Database } from "../../../../../supabase/database.types.ts";
import { refused, type Checked } from "../outcome.ts";
import { checkAttendance, type Attendance, type BookableDate } from "./schema.ts";

type Tables = Database["public"]["Tables"];

/** Somebody who waits for a place on a date. */
export type WaitingEntry = Tables["waiting_list"]["Row"] & {
  course_dates: Pick<Tables["course_dates"]["Row"], "course_name" | "course_date">;
};

/** Checks a filled-in entry by the rules the database has too. */
export function checkWaiting(form: FormData): Checked<Attendance> {
  const checked = checkAttendance(form);
  if (checked.ok && checked.value.email === null && checked.value.phone === null)
    return refused("Enter a phone number or an e-mail address, so that somebody can tell them.", "phone");
  return checked;
}

/** Who is to be called first: the first in the line who was not yet, and whose places are there. */
export function nextToCall<Entry extends Pick<WaitingEntry, "position" | "called_at" | "places">>(
  entries: readonly Entry[],
  { places_left, status }: Pick<BookableDate, "places_left" | "status">,
): Entry | undefined {
  if (status === "cancelled") return undefined;
  return entries
    .toSorted((a, b) => a.position - b.position)
    .find(({ called_at, places }) => called_at === null && places <= (places_left ?? 0));
}

/** "Ada Fell, 07700 900 123, 2 places" */
export function nextInWords({ name, phone, email, places }: Pick<WaitingEntry, "name" | "phone" | "email" | "places">): string {
  return [name, phone ?? email, `${places} ${places === 1 ? "place" : "places"}`].join(", ");
}
