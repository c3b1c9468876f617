import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { londonDate } from "../../time/london-date.ts";
import { Button } from "../../ui/button.tsx";
import { Message } from "../../ui/message.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { usePromise } from "../frame/use-promise.ts";
import { courseDateStatus } from "../bookable-dates/course-date-status.ts";
import type { NewEnquiry, Part, RunningDate, Today as TodayParts, Unpaid } from "./today-queries.ts";
import styles from "./today.module.css";

/** The dates of this week, unpaid bookings, new enquiries and dates under half full. */
export function Today({ load }: { load: () => TodayParts }) {
  const [parts, setParts] = useState(load);
  const retry = (): void => setParts(load());
  return (
    <div className={styles.today}>
      <TodayPart
        id="week"
        title="This week"
        part={parts.week}
        retry={retry}
        none="Nothing runs this week."
        all={{ to: "/admin/courses", label: "All dates" }}
        renderRow={(date) => <DateLine date={date} />}
      />
      <TodayPart
        id="unpaid"
        title="Not paid yet"
        part={parts.unpaid}
        retry={retry}
        none="Everybody has paid."
        all={{ to: "/admin/bookings?status=active&payment=due", label: "All unpaid bookings" }}
        renderRow={(booking) => <UnpaidLine booking={booking} />}
      />
      <TodayPart
        id="new-enquiries"
        title="New enquiries"
        part={parts.enquiries}
        retry={retry}
        none="No new enquiries."
        all={{ to: "/admin/enquiries?status=new", label: "All new enquiries" }}
        renderRow={(enquiry) => <EnquiryLine enquiry={enquiry} />}
      />
      <TodayPart
        id="half-empty"
        title="Under half full"
        part={parts.halfEmpty}
        retry={retry}
        none="Every date of this week and the five after it is half full or fuller."
        all={{ to: "/admin/courses?when=coming", label: "All upcoming dates" }}
        renderRow={(date) => <DateLine date={date} />}
      />
    </div>
  );
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
  renderRow: (row: Row) => ReactNode;
}

/** One part of the dashboard: its first rows, the total and a link to the whole list. */
function TodayPart<Row extends { id: string }>({ id, title, part, retry, none, all, renderRow }: TodayPartProps<Row>) {
  const answer = usePromise(part);
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id}>
        {title}
        {answer?.ok && answer.total > 0 && <span className={styles.total}> {answer.total}</span>}
      </h2>
      {!answer && <Spinner label={`Loading ${title.toLowerCase()}…`} />}
      {answer && !answer.ok && (
        <>
          <Message tone="error">
            <p>{answer.message}</p>
          </Message>
          <Button look="plain" size="small" onClick={retry}>
            Try Again
          </Button>
        </>
      )}
      {answer?.ok && answer.rows.length === 0 && <p className="soft">{none}</p>}
      {answer?.ok && answer.rows.length > 0 && (
        <ul className={styles.lines}>
          {answer.rows.map((row) => (
            <li key={row.id}>{renderRow(row)}</li>
          ))}
        </ul>
      )}
      <p className="soft">
        <Link to={all.to}>{all.label}</Link>
      </p>
    </section>
  );
}

function DateLine({ date }: { date: RunningDate }) {
  const { id, course_name, course_date, capacity, places_taken } = date;
  const status = courseDateStatus(date);
  return (
    <>
      <Link to={`/admin/bookings?date=${id}`}>{course_name}</Link>
      <Detail>
        {dayAndTime(course_date)}: {places_taken} of {capacity} booked{status !== "open" && `, ${status}`}
      </Detail>
    </>
  );
}

function UnpaidLine({ booking: { name, date } }: { booking: Unpaid }) {
  return (
    <>
      <Link to={`/admin/bookings?${new URLSearchParams({ date: date.id, words: name, payment: "due" })}`}>{name}</Link>
      <Detail>
        {date.course_name}, {dayAndTime(date.course_date)}
      </Detail>
    </>
  );
}

function EnquiryLine({ enquiry: { id, name, course_name, created_at } }: { enquiry: NewEnquiry }) {
  return (
    <>
      <Link to={`/admin/enquiries?open=${id}`}>{name}</Link>
      <Detail>
        {dayAndTime(created_at)}
        {course_name !== null && `, ${course_name}`}
      </Detail>
    </>
  );
}

function Detail({ children }: { children: ReactNode }) {
  return <span className="second">{children}</span>;
}

/** Formats an instant as "Mon 30 Nov, 09:00". */
function dayAndTime(iso: string): string {
  const { weekday, day, month, time } = londonDate(iso);
  return `${weekday} ${day} ${month}, ${time}`;
}
