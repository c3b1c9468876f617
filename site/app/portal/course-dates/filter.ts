import { londonDay } from "../../time/london-date.ts";
import { courseDateStatus, isPast, STATUS_LABELS } from "../bookable-dates/course-date-status.ts";
import { courseWords } from "../lists/course-words.ts";
import { csvColumns, instantColumns, type CsvColumn } from "../lists/csv/csv.ts";
import type { ListFilter } from "../lists/list-filter.ts";
import { courseDateFields, type CourseDate, type ListedDate } from "./fields.ts";

/** Search and filter of the course dates. */
export const courseDateFilter: ListFilter<ListedDate> = {
  hint: "Course or day",
  text: (row) =>
    [courseWords(row.course_name), londonDay(row.course_date), STATUS_LABELS[courseDateStatus(row)], row.trainer, row.description].join(
      " ",
    ),
  instant: ({ course_date }) => course_date,
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

const { course_name, course_date: _start, trainer_id, ...otherFields } = courseDateFields;

/** The columns of the CSV file; the id is last. */
export const courseDateColumns: readonly CsvColumn<ListedDate>[] = [
  ...csvColumns({ course_name }),
  ...instantColumns<CourseDate>("Starts", ({ course_date }) => course_date),
  ...csvColumns(otherFields),
  { heading: trainer_id.label, cell: ({ trainer }) => trainer },
  { heading: "Places taken", cell: ({ places_taken }) => places_taken },
  { heading: "Places left", cell: ({ places_left }) => places_left },
  ...instantColumns<CourseDate>("Added", ({ created_at }) => created_at),
  ...instantColumns<CourseDate>("Changed", ({ updated_at }) => updated_at),
  { heading: "Date id", cell: ({ id }) => id },
];
