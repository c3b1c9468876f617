import { csvColumns, instantColumns, type CsvColumn } from "../../lists/csv/csv.ts";
import { waitingFields } from "../fields.ts";
import type { WaitingEntry } from "./waiting-list.ts";

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
