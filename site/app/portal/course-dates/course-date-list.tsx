import { Suspense } from "react";
import { href, Link } from "react-router";
import { londonDate, londonDay, londonWeekday } from "../../time/london-date.ts";
import { isPast, courseDateStatus } from "../bookable-dates/course-date-status.ts";
import { DateStatus } from "../bookable-dates/date-status.tsx";
import type { RecordPageState } from "../records/use-record-page.ts";
import { lazyPart } from "../frame/lazy-part.tsx";
import type { Loaded } from "../frame/outcome.ts";
import { RowLink } from "../lists/open-record/row-link.tsx";
import { RecordList } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { CourseDateActions, inWords } from "./course-date-actions.tsx";
import { courseDateColumns, courseDateFilter } from "./filter.ts";
import styles from "./course-date-list.module.css";
import type { CourseDateForm, ListedDate } from "./fields.ts";

// Lazy: most visits select nothing.
const SelectedDates = lazyPart(() => import("./selected-dates.tsx"));

interface CourseDateListProps {
  dates: Promise<Loaded<ListedDate>>;
  page: RecordPageState<CourseDateForm>;
}

/** Statuses with bookable places; for the others the list shows how many are booked. */
const BOOKABLE: ReadonlySet<string> = new Set(["open", "confirmed", "full"]);

const columns: readonly Column<ListedDate>[] = [
  { heading: "Starts", cell: ({ course_date, end_date }) => <Start iso={course_date} end={end_date} /> },
  { heading: "Course", share: 60, cell: (row) => <Course row={row} /> },
  { heading: "Capacity", cell: (row) => <Capacity {...row} /> },
  { heading: "Status", cell: (row) => <DateStatus date={row} /> },
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
      bulk={{
        noun: "course date",
        what: inWords,
        render: (rows) => (
          <Suspense>
            <SelectedDates key={rows.map(({ id }) => id).join(" ")} ids={rows.map(({ id }) => id)} />
          </Suspense>
        ),
      }}
      renderActions={(row) => <CourseDateActions row={row} page={page} />}
    />
  );
}

/** "December 2026" */
function monthOf({ course_date }: ListedDate): string {
  return londonDay(course_date).replace(/^\d+ /, "");
}

function Course({ row }: { row: ListedDate }) {
  const { id, course_name, description, trainer, status } = row;
  const second = [trainer !== null && `Trainer: ${trainer}`, description].filter(Boolean).join(" · ");
  return (
    <>
      <strong>
        <RowLink id={id} what={inWords(row)}>
          {status === "cancelled" ? <s>{course_name}</s> : course_name}
        </RowLink>
      </strong>
      {second !== "" && <span className="second">{second}</span>}
    </>
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
  const date = londonDate(iso);
  return (
    <time dateTime={date.instant} className={styles.start}>
      <span className={styles.day}>{londonWeekday(date)}</span>{" "}
      <span className="soft">
        {date.time}
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
