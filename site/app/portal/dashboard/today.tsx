import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { londonDate } from "../../time/london-date.ts";
import { TodayPart } from "./today-part.tsx";
import type { NewEnquiry, RunningDate, Today as Asked, Unpaid } from "./today-queries.ts";
import styles from "./today.module.css";

/** What the office looks at first: what runs, who owes, who asks, and what fills too slowly. */
export function Today({ ask }: { ask: () => Asked }) {
  const [asked, setAsked] = useState(ask);
  const again = (): void => setAsked(ask());
  return (
    <div className={styles.today}>
      <TodayPart
        id="week"
        title="This Week"
        part={asked.week}
        again={again}
        none="Nothing runs this week."
        all={{ to: "/admin/courses", label: "All dates" }}
        renderRow={(date) => <DateLine date={date} />}
      />
      <TodayPart
        id="unpaid"
        title="Not Paid Yet"
        part={asked.unpaid}
        again={again}
        none="Everybody has paid."
        all={{ to: "/admin/bookings?status=active&payment=due", label: "All who have not paid" }}
        renderRow={(booking) => <UnpaidLine booking={booking} />}
      />
      <TodayPart
        id="new-enquiries"
        title="New Enquiries"
        part={asked.enquiries}
        again={again}
        none="No new enquiries."
        all={{ to: "/admin/enquiries?status=new", label: "All new enquiries" }}
        renderRow={(enquiry) => <EnquiryLine enquiry={enquiry} />}
      />
      <TodayPart
        id="half-empty"
        title="Under Half Full"
        part={asked.halfEmpty}
        again={again}
        none="Every date of this week and the five after it is half full or fuller."
        all={{ to: "/admin/courses?when=coming", label: "All dates to come" }}
        renderRow={(date) => <DateLine date={date} />}
      />
    </div>
  );
}

function DateLine({ date: { id, course_name, course_date, capacity, places_taken, status } }: { date: RunningDate }) {
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
  return <span className={styles.detail}>{children}</span>;
}

/** "Mon 30 Nov, 09:00" */
function dayAndTime(iso: string): string {
  const { weekday, day, month, time } = londonDate(iso);
  return `${weekday} ${day} ${month}, ${time}`;
}
