import type { CourseDateRow } from "./course-date.ts";

/** A row of `course_dates`, open and without bookings, with some values of its own. */
export function courseDateRow(values: Partial<CourseDateRow>): CourseDateRow {
  return {
    id: "3a0b1c52-6a0e-4d2b-9f0b-5a1f7c0e8d11",
    course_name: "Lvl 2 CCTV",
    course_date: "2027-01-05T09:00:00Z",
    end_date: null,
    capacity: 12,
    places_taken: 0,
    places_left: 12,
    description: null,
    status: "open",
    created_at: "2026-11-01T09:00:00Z",
    updated_at: "2026-11-01T09:00:00Z",
    ...values,
  };
}
