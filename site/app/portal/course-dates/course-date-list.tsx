import { href, Link } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { londonDate, londonDay } from "../../time/london-date.ts";
import { isPast, STATUS_LABELS, courseDateStatus } from "../bookable-dates/course-date-status.ts";
import { startEdit } from "../records/save-record.ts";
import type { RecordPageState } from "../records/use-record-page.ts";
import { DeleteButton } from "../records/delete-button.tsx";
import type { Loaded } from "../frame/outcome.ts";
import { RecordList } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { RowAction, RowActions, RowHistory } from "../lists/row-actions.tsx";
import { courseDateColumns, courseDateFilter } from "./filter.ts";
import styles from "./course-date-list.module.css";
import { courseDateForm, type CourseDate, type CourseDateForm, type ListedDate } from "./fields.ts";
import { deleteCourseDate } from "./queries.ts";

interface CourseDateListProps {
  dates: Promise<Loaded<ListedDate>>;
  page: RecordPageState<CourseDateForm>;
}

/** Statuses with bookable places; for the others the list shows how many are booked. */
const BOOKABLE: ReadonlySet<string> = new Set(["open", "confirmed", "full"]);

const columns: readonly Column<ListedDate>[] = [
  { heading: "Starts", cell: ({ course_date, end_date }) => <Start iso={course_date} end={end_date} /> },
  { heading: "Course", share: 60, cell: (row) => <Course {...row} /> },
  { heading: "Capacity", cell: (row) => <Capacity {...row} /> },
  { heading: "Status", cell: (row) => <Status {...row} /> },
];

/** The list of course dates. */
export function CourseDateList({ dates, page }: CourseDateListProps) {
  return (
    <RecordList
      caption="Course dates"
      loaded={dates}
      columns={columns}
      filter={courseDateFilter}
      file={{ name: "course-dates", columns: courseDateColumns }}
      empty={{ title: "No courses scheduled...", text: "Add the first one with “Add course date”; visitors see it at once." }}
      groupOf={monthOf}
      isPast={(row) => row.status === "cancelled" || isPast(row)}
      renderActions={(row) => (
        <RowActions>
          <RowAction label="Edit" what={inWords(row)} run={() => page.begin({ form: "edit", edit: startEdit(row) })} />
          <RowAction
            label="Copy"
            what={inWords(row)}
            run={() => page.begin({ form: "new", begin: { ...courseDateForm(row), course_date: "", end_date: "", status: "open" } })}
          />
          <RowAction label="Repeat" what={inWords(row)} run={() => page.begin({ form: "repeat", row })} />
          <RowHistory id={row.id} what={inWords(row)} />
          <DeleteButton
            what={inWords(row)}
            question="Are you sure you want to delete this course?"
            run={() => page.act(() => deleteCourseDate(browserClient(), row.id))}
          />
        </RowActions>
      )}
    />
  );
}

/** "December 2026" */
function monthOf({ course_date }: ListedDate): string {
  return londonDay(course_date).replace(/^\d+ /, "");
}

function Course({ course_name, description, status }: ListedDate) {
  return (
    <>
      <strong>{status === "cancelled" ? <s>{course_name}</s> : course_name}</strong>
      {description !== null && <span className="second">{description}</span>}
    </>
  );
}

function Status(row: ListedDate) {
  const status = courseDateStatus(row);
  return (
    <span className="chip" data-tone={status}>
      {STATUS_LABELS[status]}
    </span>
  );
}

function Capacity(row: ListedDate) {
  const { id, capacity, places_taken, places_left, waiting_list } = row;
  const free = places_left === 0 ? "full" : `${places_left} left`;
  return (
    <>
      <span className="number">{capacity}</span>
      {" · "}
      <Link className={styles.left} to={`${href("/admin/bookings")}?date=${id}`}>
        {BOOKABLE.has(courseDateStatus(row)) ? free : `${places_taken} booked`}
        {waiting_list.length > 0 && `, ${waiting_list.length} waiting`}
      </Link>
    </>
  );
}

function Start({ iso, end }: { iso: string; end: string | null }) {
  const { instant, weekday, day, month, year, time } = londonDate(iso);
  return (
    <time dateTime={instant} className={styles.start}>
      <span className={styles.day}>
        {weekday} {day} {month} {year}
      </span>{" "}
      <span className="soft">
        {time}
        {end !== null && `, to ${dayInWords(end)}`}
      </span>
    </time>
  );
}

/** "4 Dec 2026" */
function dayInWords(date: string): string {
  const { day, month, year } = londonDate(date);
  return `${day} ${month} ${year}`;
}

/** "Lvl 2 CCTV, Monday 30 November 2026, 09:00" */
export function inWords({ course_name, course_date }: CourseDate): string {
  const { long, time } = londonDate(course_date);
  return `${course_name}, ${long}, ${time}`;
}
