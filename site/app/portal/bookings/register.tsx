import { href, Link } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { Button } from "../../ui/button.tsx";
import { Message } from "../../ui/message.tsx";
import { LoadStatus } from "../frame/load-status.tsx";
import { PageFrame } from "../frame/page-frame.tsx";
import { usePromise } from "../frame/use-promise.ts";
import { dateInWords, listBookableDates } from "../bookable-dates/bookable-date.ts";
import { placesInWords } from "../bookable-dates/places.ts";
import { paymentInWords, type Booking } from "./fields.ts";
import { listBookings } from "./queries.ts";
import styles from "./register.module.css";
import type { Route } from "./+types/register";

export const handle = { title: "Register" };

export async function clientLoader({ params: { dateId } }: Route.ClientLoaderArgs) {
  const supabase = browserClient();
  return {
    dateId,
    date: listBookableDates(supabase, { id: dateId }),
    bookings: listBookings(supabase, { date: dateId }),
  };
}

/** The printable attendance list of a course date, with a line for every place. */
export default function Register({ loaderData }: Route.ComponentProps) {
  const { dateId } = loaderData;
  const dates = usePromise(loaderData.date);
  const bookings = usePromise(loaderData.bookings);
  const failure = [dates, bookings].find((result) => result && !result.ok);
  const date = dates?.ok ? dates.rows[0] : undefined;
  const lines = bookings?.ok ? bookings.rows.filter(({ status }) => status === "active").flatMap(linesOf) : [];
  return (
    <PageFrame title={handle.title} action={date && <Button onClick={() => print()}>Print</Button>}>
      <LoadStatus result={failure ?? (dates && bookings)} />
      {dates?.ok && !date && (
        <Message>
          <p>This date does not exist any more.</p>
        </Message>
      )}
      {date && bookings?.ok && (
        <>
          <div className={styles.head}>
            <h2>{date.status === "cancelled" ? <s>{dateInWords(date)}</s> : dateInWords(date)}</h2>
            <p>{placesInWords(date)}</p>
            <Link className={styles.link} to={`${href("/admin/bookings")}?date=${dateId}`}>
              Show bookings
            </Link>
          </div>
          {lines.length === 0 ? <p>Nobody has booked this date yet.</p> : <Lines lines={lines} />}
        </>
      )}
    </PageFrame>
  );
}

interface Line {
  key: string;
  name: string;
  booking: Booking;
}

function Lines({ lines }: { lines: readonly Line[] }) {
  return (
    // It scrolls on narrow screens, so it must be focusable.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.scroll} tabIndex={0} role="region" aria-label="Register">
      <table className={styles.lines}>
        <caption className="visually-hidden">Participants</caption>
        <thead>
          <tr>
            {["No.", "Name", "Company", "Phone", "Payment", "Note", "Signature"].map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ key, name, booking }, index) => (
            <tr key={key}>
              <td>{index + 1}</td>
              <th scope="row">{name}</th>
              <td>{booking.company}</td>
              <td className={styles.phone}>{booking.phone}</td>
              <td>{paymentInWords(booking)}</td>
              <td>{booking.note}</td>
              <td className={styles.signature}>{"\u00a0"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** One line for each place: the customer first, then the guests. */
function linesOf(booking: Booking): Line[] {
  return Array.from({ length: booking.places }, (_, place) => ({
    key: `${booking.id}/${place}`,
    name: place === 0 ? booking.name : `Guest ${place} of ${booking.name}`,
    booking,
  }));
}
