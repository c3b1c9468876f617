import { londonDate } from "../../../london-date.ts";
import { DeleteButton } from "../delete-button.tsx";
import type { Loaded, Outcome } from "../outcome.ts";
import { RecordList, type Column } from "../record-list.tsx";
import styles from "./course-date-list.module.css";
import type { CourseDate } from "./schema.ts";

interface CourseDateListProps {
  /** When the list was asked for, in milliseconds; what began before it is past. */
  now: number;
  dates: Promise<Loaded<CourseDate>>;
  remove: (id: string) => Promise<Outcome>;
  onOutcome: (outcome: Outcome) => void;
}

const columns: readonly Column<CourseDate>[] = [
  { heading: "Starts", cell: ({ course_date }, past) => <Start iso={course_date} past={past} /> },
  { heading: "Course", cell: ({ course_name }) => <strong>{course_name}</strong> },
  { heading: "Capacity", cell: ({ capacity }) => <span className="number">{capacity}</span> },
  { heading: "Description", cell: ({ description }) => description },
];

/** The course dates, those that are over in quieter type. */
export function CourseDateList({ now, dates, remove, onOutcome }: CourseDateListProps) {
  return (
    <RecordList
      caption="Course dates"
      loaded={dates}
      columns={columns}
      empty={
        <>
          <p>No courses scheduled...</p>
          <p>Add the first one with “Add Course”; visitors see it at once.</p>
        </>
      }
      isPast={({ course_date }) => Date.parse(course_date) < now}
      renderActions={(row) => (
        <DeleteButton
          id={row.id}
          what={inWords(row)}
          question="Are you sure you want to delete this course?"
          run={() => remove(row.id)}
          onOutcome={onOutcome}
        />
      )}
    />
  );
}

function Start({ iso, past }: { iso: string; past: boolean }) {
  const { instant, weekday, day, month, year, time } = londonDate(iso);
  return (
    <time dateTime={instant} className={styles.start}>
      <span className={styles.day}>
        {weekday} {day} {month} {year}
      </span>{" "}
      <span className={styles.hour}>
        {time}
        {past && " (past)"}
      </span>
    </time>
  );
}

function inWords({ course_name, course_date }: CourseDate): string {
  const { long, time } = londonDate(course_date);
  return `${course_name}, ${long}, ${time}`;
}
