import { londonDay } from "../../time/london-date.ts";
import { courseDateStatus, isPast, STATUS_LABELS } from "../bookable-dates/course-date-status.ts";
import { csvColumns, type CsvColumn } from "../lists/csv.ts";
import type { ListFilter } from "../lists/list-filter.ts";
import { courseDateFields, type CourseDate } from "./fields.ts";

/** Search and filter of the course dates. */
export const courseDateFilter: ListFilter<CourseDate> = {
  hint: "Course, day, status or description",
  text: (row) => [row.course_name, londonDay(row.course_date), STATUS_LABELS[courseDateStatus(row)], row.description].join(" "),
  choices: [
    {
      name: "when",
      label: "Show",
      labels: { coming: "Upcoming", past: "Past" },
      of: (row) => (isPast(row) ? "past" : "coming"),
    },
  ],
  first: { when: "coming" },
};

/** The columns of the CSV file. */
export const courseDateColumns: readonly CsvColumn<CourseDate>[] = [
  { heading: "Date", cell: ({ id }) => id },
  ...csvColumns(courseDateFields),
  { heading: "Places taken", cell: ({ places_taken }) => places_taken },
  { heading: "Places left", cell: ({ places_left }) => places_left },
  { heading: "Added", cell: ({ created_at }) => created_at },
  { heading: "Changed", cell: ({ updated_at }) => updated_at },
];
