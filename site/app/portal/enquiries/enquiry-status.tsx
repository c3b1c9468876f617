import { href, Link } from "react-router";
import { londonShortDay } from "../../time/london-date.ts";
import { Options } from "../forms/options.tsx";
import { inWords } from "./enquiry-actions.tsx";
import styles from "./enquiry-list.module.css";
import { isActive, STATUSES, type Enquiry } from "./fields.ts";
import type { Statuses } from "./use-statuses.ts";

/** The choice of the status of an enquiry, with links to the bookings that answer it. */
export function EnquiryStatus({ enquiry, statuses }: { enquiry: Enquiry; statuses: Statuses }) {
  return (
    <div className={styles.status}>
      <select
        className={styles.choice}
        data-status={statuses.of(enquiry)}
        aria-label={`Status of ${inWords(enquiry)}`}
        value={statuses.of(enquiry)}
        onChange={(event) => statuses.set(enquiry, event.currentTarget.value)}
      >
        <Options labels={STATUSES} />
      </select>
      {enquiry.bookings.map((booking) => (
        <Link key={booking.id} to={`${href("/admin/bookings")}?date=${booking.course_id}`}>
          {isActive(booking) ? "Booked for" : "Cancelled:"} {londonShortDay(booking.course_dates.course_date)}
        </Link>
      ))}
    </div>
  );
}
