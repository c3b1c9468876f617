import { href, Link } from "react-router";
import { lastDayOf } from "../../time/last-day.ts";
import { londonDay } from "../../time/london-date.ts";
import { DateStatus } from "../bookable-dates/date-status.tsx";
import { valuesInWords } from "../forms/fields.ts";
import type { OpenRecord } from "../lists/open-record/open-record.ts";
import { RecordPanel, type ShownRecord } from "../records/record-panel.tsx";
import type { RecordPageState } from "../records/use-record-page.ts";
import { Moment } from "../time/moment.tsx";
import { CourseDateActions } from "./course-date-actions.tsx";
import { courseDateFields, type CourseDateForm, type ListedDate } from "./fields.ts";

// The panel shows these fields separately.
const {
  course_name: _name,
  course_date: _start,
  end_date: _end,
  capacity: _capacity,
  trainer_id: _trainer,
  status: _status,
  ...otherFields
} = courseDateFields;

interface CourseDatePanelProps {
  open: OpenRecord<ListedDate>;
  page: RecordPageState<CourseDateForm>;
}

/** A course date with its places and its history. */
export default function CourseDatePanel({ open, page }: CourseDatePanelProps) {
  return <RecordPanel open={open} page={page} noun="course date" shown={open.row && courseDateInPanel(open.row, page)} />;
}

function courseDateInPanel(row: ListedDate, page: CourseDatePanelProps["page"]): ShownRecord {
  return {
    title: row.course_name,
    actions: <CourseDateActions row={row} page={page} />,
    facts: {
      Starts: <Moment iso={row.course_date} weekday />,
      "Last day": londonDay(lastDayOf(row)),
      Status: <DateStatus date={row} />,
      Places: <Places row={row} />,
      "Waiting list": row.waiting_list.length === 0 ? null : `${row.waiting_list.length} waiting`,
      Trainer: row.trainer,
      ...valuesInWords(otherFields, row),
      Register: <Link to={href("/admin/courses/:dateId/register", { dateId: row.id })}>Printable register</Link>,
      Added: <Moment iso={row.created_at} />,
    },
  };
}

function Places({ row: { id, capacity, places_taken, places_left } }: { row: ListedDate }) {
  return (
    <>
      {places_taken} of {capacity} taken, {places_left === 0 ? "full" : `${places_left} left`}
      {" · "}
      <Link to={`${href("/admin/bookings")}?date=${id}`}>Show bookings</Link>
    </>
  );
}
