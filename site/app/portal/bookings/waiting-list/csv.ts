import type { CsvColumn } from "../../lists/csv.ts";
import type { WaitingEntry } from "./waiting-list.ts";

/** Every column of an entry in a waiting list, in the order of the file; the lines stand in the order of the list. */
export const waitingColumns: readonly CsvColumn<WaitingEntry>[] = [
  { heading: "Entry", cell: ({ id }) => id },
  { heading: "Course", cell: ({ course_dates }) => course_dates.course_name },
  { heading: "Starts", cell: ({ course_dates }) => course_dates.course_date },
  { heading: "Course date", cell: ({ course_id }) => course_id },
  { heading: "Order", cell: ({ position }) => position },
  { heading: "Name", cell: ({ name }) => name },
  { heading: "E-mail", cell: ({ email }) => email },
  { heading: "Phone", cell: ({ phone }) => phone },
  { heading: "Places", cell: ({ places }) => places },
  { heading: "Note", cell: ({ note }) => note },
  { heading: "Called", cell: ({ called_at }) => called_at },
  { heading: "Waiting since", cell: ({ created_at }) => created_at },
  { heading: "Changed", cell: ({ updated_at }) => updated_at },
  { heading: "Changed by", cell: ({ updated_by }) => updated_by },
];
