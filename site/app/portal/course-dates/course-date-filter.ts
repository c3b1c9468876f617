import { londonDay } from "../../time/london-date.ts";
import type { CsvColumn } from "../lists/csv.ts";
import { isPast, STATUS_LABELS, courseDateStatus } from "../time/course-date-status.ts";
import type { ListFilter } from "../lists/list-filter.ts";
import type { CourseDate } from "./schema.ts";

/** How the dates are narrowed: by words and by whether they are over. */
export const courseDateFilter: ListFilter<CourseDate> = {
  hint: "Course, day, status or description",
  text: (row) => [row.course_name, londonDay(row.course_date), STATUS_LABELS[courseDateStatus(row)], row.description].join(" "),
  choices: [
    {
      name: "when",
      label: "Show",
      labels: { coming: "Coming", past: "Past" },
      of: (row) => (isPast(row) ? "past" : "coming"),
    },
  ],
  first: { when: "coming" },
};

/** Every column of a date, in the order of the file. */
export const courseDateColumns: readonly CsvColumn<CourseDate>[] = [
  { heading: "Date", cell: ({ id }) => id },
  { heading: "Course", cell: ({ course_name }) => course_name },
  { heading: "Starts", cell: ({ course_date }) => course_date },
  { heading: "Last day", cell: ({ end_date }) => end_date },
  { heading: "Capacity", cell: ({ capacity }) => capacity },
  { heading: "Places taken", cell: ({ places_taken }) => places_taken },
  { heading: "Places left", cell: ({ places_left }) => places_left },
  { heading: "Status", cell: ({ status }) => status },
  { heading: "Description", cell: ({ description }) => description },
  { heading: "Added", cell: ({ created_at }) => created_at },
  { heading: "Changed", cell: ({ updated_at }) => updated_at },
];
