import { provider } from "content/provider.ts";
import { href } from "react-router";
import type { CourseDate } from "../../../course-dates/course-date.ts";
import { Countdown } from "../../../ui/countdown.tsx";
import styles from "./upcoming-dates.module.css";

const FIRST_ROWS = 8;

/** The next course dates, designed as a departure board. */
export function UpcomingDates({ dates, now }: { dates: readonly CourseDate[]; now: number }) {
  const later = dates.slice(FIRST_ROWS);
  return (
    <section id="dates" aria-labelledby="dates-heading" className={styles.section}>
      <div className={`wrap ${styles.board}`}>
        <h2 id="dates-heading">Next available courses</h2>
        {dates.length === 0 ? (
          <div className={styles.none}>
            <p>No upcoming courses scheduled at the moment.</p>
            <p>
              New dates are set all the time. Call us on <a href={provider.phoneHref}>{provider.phone}</a> and we will tell you what is
              planned.
            </p>
          </div>
        ) : (
          <Rows dates={dates.slice(0, FIRST_ROWS)} now={now} />
        )}
        {later.length > 0 && (
          <details className={styles.later}>
            <summary>{later.length === 1 ? "Show one later date" : `Show ${later.length} later dates`}</summary>
            <Rows dates={later} now={now} />
          </details>
        )}
      </div>
    </section>
  );
}

function Rows({ dates, now }: { dates: readonly CourseDate[]; now: number }) {
  return (
    <ol className={styles.rows}>
      {dates.map((date) => (
        <li key={date.id} className={styles.row}>
          <Row courseDate={date} now={now} />
        </li>
      ))}
    </ol>
  );
}

function Row({ courseDate: { id, date, course, availability, places, note }, now }: { courseDate: CourseDate; now: number }) {
  return (
    <>
      <time dateTime={date.instant} className={styles.when}>
        <span className={styles.day}>{date.day}</span>{" "}
        <span className={styles.month}>
          {date.month}
          <span className={styles.weekday}>{` ${date.weekday} ${date.time}`}</span>
        </span>
      </time>
      <div className={styles.what}>
        <h3 data-colour={course.colour}>
          <a href={course.link}>{course.title}</a>
        </h3>
        <p className={styles.where}>
          {course.location}
          {note && <span className={styles.note}>{note}</span>}
        </p>
      </div>
      <p className={styles.facts}>
        <span>{course.duration}</span> <strong>{course.price}</strong> <span>{places}</span>
      </p>
      <Countdown target={date.instant} now={now} />
      <a href={href("/ask/:dateId", { dateId: id })} className={styles.action}>
        {availability === "open" ? "Ask for this place" : "Waiting list"}
        <span className="visually-hidden">{`: ${course.title}, ${date.long}`}</span>
      </a>
    </>
  );
}
