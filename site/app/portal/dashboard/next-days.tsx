import { href, Link } from "react-router";
import { londonDate } from "../../time/london-date.ts";
import { runningDays } from "../../time/last-day.ts";
import { addDays } from "../../time/london-time.ts";
import { courseDateStatus, STATUS_LABELS } from "../bookable-dates/course-date-status.ts";
import { LoadStatus } from "../frame/load-status.tsx";
import { useLoaded } from "../frame/use-loaded.ts";
import styles from "./next-days.module.css";
import { SHOWN_DAYS, type RunningDate, type Today } from "./today-queries.ts";

/** The most customers that are named. */
const MOST_NAMES = 6;
const NEAR_DAYS = ["Today", "Tomorrow"];

/** The next seven days, each with the dates that run on it: customers, places, unpaid bookings and the waiting list. */
export function NextDays({ today: { days, firstDay }, retry }: { today: Today; retry: () => void }) {
  const result = useLoaded(days);
  const dates = (result?.ok ? result.rows : []).map((date) => ({ date, runs: runningDays(date) }));
  return (
    <section aria-labelledby="next-days" className={styles.days}>
      <h2 id="next-days">The next seven days</h2>
      <LoadStatus result={result} label="Loading the next seven days…" retry={retry} />
      {result?.ok && (
        <ol className={styles.list}>
          {Array.from({ length: SHOWN_DAYS }, (_, index) => {
            const day = addDays(firstDay, index);
            const running = dates.filter(({ runs }) => runs.includes(day));
            return (
              <li key={day} className={styles.day}>
                <h3>
                  {NEAR_DAYS[index] !== undefined && `${NEAR_DAYS[index]}, `}
                  {dayInWords(day)}
                </h3>
                {running.length === 0 && <p className="soft">Nothing runs.</p>}
                {running.map(({ date, runs }) => (
                  <Running
                    key={date.id}
                    date={date}
                    number={runs.indexOf(day) + 1}
                    count={runs.length}
                    whole={day === firstDay || day === runs[0]}
                  />
                ))}
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}

interface RunningProps {
  date: RunningDate;
  /** The number of the day in the course, from 1. */
  number: number;
  count: number;
  /** False on a later day of the same course: shows the names and the unpaid bookings only once. */
  whole: boolean;
}

function Running({ date, number, count, whole }: RunningProps) {
  const { id, course_name, course_date, capacity, places_taken, bookings, waiting_list } = date;
  const bookingsPage = `${href("/admin/bookings")}?date=${id}`;
  const unpaid = bookings.filter(({ payment_status }) => payment_status === "due").length;
  const status = courseDateStatus(date);
  return (
    <div className={styles.date} data-status={status}>
      <time className={styles.time} dateTime={course_date}>
        {londonDate(course_date).time}
      </time>
      <div className={styles.what}>
        <Link to={bookingsPage}>{course_name}</Link>
        {count > 1 && (
          <>
            {" "}
            <span className={styles.number}>
              day {number} of {count}
            </span>
          </>
        )}
      </div>
      <p className={styles.facts}>
        {status !== "open" && (
          <span className="chip" data-tone={status}>
            {STATUS_LABELS[status]}
          </span>
        )}
        {whole && status !== "cancelled" && unpaid > 0 && (
          <Link className="chip" data-tone="due" to={`${bookingsPage}&payment=due`}>
            {unpaid} not paid
          </Link>
        )}
        {whole && waiting_list.length > 0 && (
          <Link className="chip" data-tone="waiting" to={bookingsPage}>
            {waiting_list.length} waiting
          </Link>
        )}
        <span className={styles.places}>
          {places_taken} of {capacity} taken
          <meter className={styles.meter} max={capacity} value={places_taken} aria-hidden="true" />
        </span>
      </p>
      {whole && <p className={`soft ${styles.names}`}>{namesInWords(bookings.map(({ name }) => name))}</p>}
    </div>
  );
}

/** "Ada Fell, Ben Moor and 3 more" */
function namesInWords(names: readonly string[]): string {
  if (names.length === 0) return "Nobody has booked.";
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}

/** "Mon 30 Nov" */
function dayInWords(date: string): string {
  const { weekday, day, month } = londonDate(date);
  return `${weekday} ${day} ${month}`;
}
