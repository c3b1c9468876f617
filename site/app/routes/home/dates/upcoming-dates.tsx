import { provider } from "content/provider.ts";
import type { CourseDate } from "../../../course-dates/course-date.ts";
import type { Register } from "react-router";
import { DateRows } from "./date-rows.tsx";
import styles from "./upcoming-dates.module.css";

const FIRST_ROWS = 5;
/** The most dates on the home page. */
export const MOST_ROWS = 20;
// Checked as by `href`, which would load the router's script on the home page.
const ALL_DATES = "/dates" satisfies keyof Register["pages"];
const ROUTE = "/route" satisfies keyof Register["pages"];

/** The next course dates, designed as a departure board. */
export function UpcomingDates({ dates, now }: { dates: readonly CourseDate[]; now: number }) {
  const later = dates.slice(FIRST_ROWS);
  return (
    <section id="dates" aria-labelledby="dates-heading" className={styles.section}>
      <div className={`wrap ${styles.board}`}>
        <h2 id="dates-heading">Next available courses</h2>
        {dates.length === 0 ? <NoDates /> : <DateRows dates={dates.slice(0, FIRST_ROWS)} counted={dates[0]} now={now} />}
        {later.length > 0 && (
          <details className={styles.later}>
            <summary>{later.length === 1 ? "Show one later date" : `Show ${later.length} later dates`}</summary>
            <DateRows dates={later} now={now} />
          </details>
        )}
        {dates.length > 0 && <Venue />}
        {dates.length > 0 && (
          <p className={styles.all}>
            <a href={ALL_DATES}>All dates, by month</a>
            <a href={ROUTE} className={styles.sign}>
              What you need first, and what it costs
            </a>
          </p>
        )}
      </div>
    </section>
  );
}

/** The venue of all dates that name no other. */
export function Venue() {
  return <p className={styles.venue}>{`At ${provider.venue}, unless a date says otherwise.`}</p>;
}

function NoDates() {
  return (
    <div className={styles.none}>
      <p>No upcoming courses scheduled at the moment.</p>
      <p>
        New dates are set all the time. Call us on <a href={provider.phoneHref}>{provider.phone}</a> and we will tell you what is planned.
      </p>
    </div>
  );
}
