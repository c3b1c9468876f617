import { href, Link } from "react-router";
import { dateInWords } from "../bookable-dates/bookable-date.ts";
import { Contacts } from "../lists/contact/contact-link.tsx";
import type { OpenRecord } from "../lists/open-record/open-record.ts";
import { RecordPanel, type ShownRecord } from "../records/record-panel.tsx";
import type { RecordPageState } from "../records/use-record-page.ts";
import { Moment } from "../time/moment.tsx";
import { BookingActions, inWords } from "./booking-actions.tsx";
import { BookingLetters } from "./booking-letters.tsx";
import { bookingFields, type Booking } from "./fields.ts";
import type { BookingsForm } from "./open-form.ts";
import { Payment } from "./payment.tsx";

interface BookingPanelProps {
  open: OpenRecord<Booking>;
  page: RecordPageState<BookingsForm>;
  /** The selected course date. */
  dateId: string | null;
}

/** A booking with its letters and its history. */
export default function BookingPanel(props: BookingPanelProps) {
  const { open, page } = props;
  return <RecordPanel open={open} page={page} noun="booking" shown={open.row && bookingInPanel(open.row, props)} />;
}

function bookingInPanel(booking: Booking, { page, dateId }: BookingPanelProps): ShownRecord {
  return {
    title: booking.name,
    actions: <BookingActions booking={booking} page={page} dateId={dateId} />,
    facts: {
      Course: <Link to={`${href("/admin/bookings")}?date=${booking.course_id}`}>{dateInWords(booking.course_dates)}</Link>,
      Status: <Status status={booking.status} />,
      Places: booking.places,
      Payment: <Payment booking={booking} what={inWords(booking)} act={page.act} />,
      Contact: booking.phone === null && booking.email === null ? null : <Contacts {...booking} />,
      Company: booking.company,
      Note: booking.note,
      Letters: bookingFields.letters.show(booking.letters),
      Enquiry: booking.enquiry_id && <Link to={`${href("/admin/enquiries")}?open=${booking.enquiry_id}`}>Show the enquiry</Link>,
      Booked: <Moment iso={booking.created_at} weekday />,
    },
    more: <BookingLetters key={`${booking.id} ${booking.updated_at}`} bookingId={booking.id} />,
  };
}

function Status({ status }: Pick<Booking, "status">) {
  return (
    <span className="chip" data-tone={status === "active" ? "confirmed" : "cancelled"}>
      {bookingFields.status.show(status)}
    </span>
  );
}
