import { useState } from "react";
import { href, Link } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { londonDate } from "../../time/london-date.ts";
import { courseDateStatus } from "../bookable-dates/course-date-status.ts";
import { LoadStatus } from "../frame/load-status.tsx";
import { usePromise } from "../frame/use-promise.ts";
import { loadToday, type Part, type RunningDate } from "./today-queries.ts";
import styles from "./today.module.css";

/** The dates of this week, unpaid bookings, new enquiries and dates under half full. */
export function Today() {
  const [parts, setParts] = useState(() => loadToday(browserClient(), Date.now()));
  const retry = (): void => setParts(loadToday(browserClient(), Date.now()));
  return (
    <div className={styles.today}>
      <TodayPart
        id="week"
        title="This week"
        part={parts.week}
        retry={retry}
        none="Nothing runs this week."
        all={{ to: href("/admin/courses"), label: "All dates" }}
        lineOf={dateLine}
      />
      <TodayPart
        id="unpaid"
        title="Not paid yet"
        part={parts.unpaid}
        retry={retry}
        none="Nobody owes anything."
        all={{ to: `${href("/admin/bookings")}?when=unpaid`, label: "All unpaid bookings" }}
        lineOf={({ name, date }) => ({
          to: `${href("/admin/bookings")}?${new URLSearchParams({ date: date.id, words: name, payment: "due" })}`,
          name,
          detail: `${date.course_name}, ${dayAndTime(date.course_date)}`,
        })}
      />
      <TodayPart
        id="new-enquiries"
        title="New enquiries"
        part={parts.enquiries}
        retry={retry}
        none="No new enquiries."
        all={{ to: `${href("/admin/enquiries")}?status=new`, label: "All new enquiries" }}
        lineOf={({ id, name, course_name, created_at }) => ({
          to: `${href("/admin/enquiries")}?open=${id}`,
          name,
          detail: [dayAndTime(created_at), course_name].filter(Boolean).join(", "),
        })}
      />
      <TodayPart
        id="half-empty"
        title="Under half full"
        part={parts.halfEmpty}
        retry={retry}
        none="Every date of this week and the five after it is half full or fuller."
        all={{ to: `${href("/admin/courses")}?when=coming`, label: "All upcoming dates" }}
        lineOf={dateLine}
      />
    </div>
  );
}

interface Line {
  to: string;
  name: string;
  detail: string;
}

interface TodayPartProps<Row> {
  /** Unique on the page. */
  id: string;
  title: string;
  part: Promise<Part<Row>>;
  retry: () => void;
  /** Shown if there are no rows. */
  none: string;
  /** Link to the whole list. */
  all: { to: string; label: string };
  lineOf: (row: Row) => Line;
}

/** One part of the dashboard: its first rows, the total and a link to the whole list. */
function TodayPart<Row extends { id: string }>({ id, title, part, retry, none, all, lineOf }: TodayPartProps<Row>) {
  const result = usePromise(part);
  const rows = result?.ok ? result.rows : [];
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id}>
        {title}
        {result?.ok && result.total > 0 && <span className={styles.total}> {result.total}</span>}
      </h2>
      <LoadStatus result={result} label={`Loading ${title.toLowerCase()}…`} retry={retry} />
      {result?.ok && rows.length === 0 && <p className="soft">{none}</p>}
      {rows.length > 0 && (
        <ul className={styles.lines}>
          {rows.map((row) => {
            const { to, name, detail } = lineOf(row);
            return (
              <li key={row.id}>
                <Link to={to}>{name}</Link>
                <span className="second">{detail}</span>
              </li>
            );
          })}
        </ul>
      )}
      <p className="soft">
        <Link to={all.to}>{all.label}</Link>
      </p>
    </section>
  );
}

function dateLine(date: RunningDate): Line {
  const { id, course_name, course_date, capacity, places_taken } = date;
  const status = courseDateStatus(date);
  const detail = `${dayAndTime(course_date)}: ${places_taken} of ${capacity} booked${status === "open" ? "" : `, ${status}`}`;
  return { to: `${href("/admin/bookings")}?date=${id}`, name: course_name, detail };
}

/** Formats an instant as "Mon 30 Nov, 09:00". */
function dayAndTime(iso: string): string {
  const { weekday, day, month, time } = londonDate(iso);
  return `${weekday} ${day} ${month}, ${time}`;
}
