import { useMemo, type ReactNode } from "react";
import { href, Link, useSearchParams } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { Contacts } from "../lists/contact-link.tsx";
import { startEdit } from "../records/save-record.ts";
import type { RecordPageState } from "../records/use-record-page.ts";
import { DeleteButton } from "../records/delete-button.tsx";
import type { Loaded, Outcome } from "../frame/outcome.ts";
import { RecordList, type Further } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { RowAction, RowActions, RowHistory } from "../lists/row-actions.tsx";
import { dateInWords } from "../bookable-dates/bookable-date.ts";
import { counted } from "../frame/counted.ts";
import { daySearch } from "../../time/day-search.ts";
import { londonDate } from "../../time/london-date.ts";
import { londonToday } from "../../time/london-time.ts";
import { isPast } from "../bookable-dates/course-date-status.ts";
import type { Booking } from "./fields.ts";
import { bookingColumns, bookingFilter } from "./filter.ts";
import type { BookingsForm } from "./open-form.ts";
import { Payment } from "./payment.tsx";
import { cancelBooking, deleteBooking, markPaid, searchBookings } from "./queries.ts";
import { withNextToCall } from "./waiting-list/waiting-list.ts";

interface BookingListProps {
  bookings: Promise<Loaded<Booking>>;
  page: RecordPageState<BookingsForm>;
  /** The selected course date. */
  dateId: string | null;
  /** The start of the listed dates, if older ones are left out. */
  since: string | null;
  /** The choice of the listed dates. */
  scope: ReactNode;
  /** The selected date above its bookings. */
  panel: ReactNode;
}

/** The number of older bookings that a search returns at most. */
const MOST_OLDER = 50;

const COURSE: Column<Booking> = { heading: "Course", share: 28, cell: ({ course_dates }) => <When {...course_dates} /> };

function columnsWith(pay: (booking: Booking, method: string) => void, isOneDate: boolean): readonly Column<Booking>[] {
  return [
    { heading: "Name", share: 28, cell: (booking) => <Who {...booking} /> },
    ...(isOneDate ? [] : [COURSE]),
    { heading: "Contact", share: 24, cell: (booking) => <Contacts {...booking} /> },
    { heading: "Places", cell: ({ places }) => <span className="number">{places}</span> },
    { heading: "Payment", cell: (booking) => <Payment booking={booking} what={inWords(booking)} markPaid={pay} /> },
  ];
}

/** The list of bookings with its search; the CSV file holds the rows that match. */
export function BookingList({ bookings, page, dateId, since, scope, panel }: BookingListProps) {
  const further = useMemo(() => (since === null ? undefined : olderBookings(since)), [since]);

  /** Runs an action that frees places of a booking, and reports the person to call next. */
  function free({ id, course_id }: Booking, action: typeof cancelBooking): Promise<Outcome> {
    return withNextToCall(browserClient(), course_id, dateId, action(browserClient(), id));
  }

  return (
    <RecordList
      caption="Bookings"
      loaded={bookings}
      removed={page.removed}
      columns={columnsWith((booking, method) => void page.act(() => markPaid(browserClient(), booking, method)), dateId !== null)}
      filter={bookingFilter}
      total={inTotal}
      further={further}
      groupOf={dateId === null ? dayOf : undefined}
      scope={scope}
      panel={panel}
      file={{ name: "bookings", columns: bookingColumns }}
      empty={{ title: "No bookings here yet...", text: "Take the first one with “New booking”." }}
      isPast={({ status }) => status === "cancelled"}
      renderActions={(booking) => (
        <RowActions>
          <RowAction label="Edit" what={inWords(booking)} run={() => page.begin({ form: "edit", edit: startEdit(booking) })} />
          <RowHistory id={booking.id} what={inWords(booking)} />
          {booking.status === "active" && (
            <DeleteButton
              verb="Cancel"
              busyLabel="Cancelling..."
              keepLabel="Keep booking"
              what={inWords(booking)}
              question="Cancel this booking? Its places become free; the booking stays on record."
              run={() => page.act(() => free(booking, cancelBooking))}
            />
          )}
          <DeleteButton
            what={inWords(booking)}
            question="Are you sure you want to delete this booking?"
            run={() => page.remove(booking, () => free(booking, deleteBooking))}
          />
        </RowActions>
      )}
    />
  );
}

/** "Tue 24 Nov 2026" */
function dayOf({ course_dates }: Booking): string {
  const { weekday, day, month, year } = londonDate(course_dates.course_date);
  return `${weekday} ${day} ${month} ${year}${isPast(course_dates) ? ", past" : ""}`;
}

/** The bookings of dates before a time, by person. */
function olderBookings(before: string): Further<Booking> {
  return {
    search(text) {
      const words = daySearch(text, londonToday(Date.now()))?.words ?? text;
      return words === "" ? Promise.resolve([]) : searchBookings(browserClient(), { words, before });
    },
    title: (count) => (count === MOST_OLDER ? `The latest ${count} in older bookings` : `${count} more in older bookings`),
    otherwise: <SearchAll />,
  };
}

function SearchAll() {
  const [search] = useSearchParams();
  return <Link to={`?${new URLSearchParams([...search, ["when", "all"]])}`}>Search all bookings</Link>;
}

function Who({ name, company, note, status, enquiry_id }: Booking) {
  const more = [company, note].filter((text) => text !== null);
  return (
    <>
      <strong>{name}</strong>
      {status === "cancelled" && (
        <>
          {" "}
          <span className="chip" data-tone="cancelled">
            Cancelled
          </span>
        </>
      )}
      {(more.length > 0 || enquiry_id !== null) && (
        <span className="second">
          {enquiry_id !== null && (
            <>
              <Link to={`${href("/admin/enquiries")}?open=${enquiry_id}`}>From an enquiry</Link>
              {more.length > 0 && " · "}
            </>
          )}
          {more.join(" · ")}
        </span>
      )}
    </>
  );
}

/** The day is the heading of the group. */
function When({ course_name, course_date, status }: Booking["course_dates"]) {
  return (
    <>
      {status === "cancelled" ? <s>{course_name}</s> : course_name}
      <time dateTime={course_date} className="second">
        {londonDate(course_date).time}
      </time>
    </>
  );
}

function inWords({ name, course_dates }: Booking): string {
  return `${name}, ${dateInWords(course_dates)}`;
}

function inTotal(listed: readonly Booking[], all: number): string {
  const places = listed.reduce((sum, { places: each, status }) => sum + (status === "active" ? each : 0), 0);
  const listedOf = listed.length === all ? "" : `${listed.length} of `;
  return `${listedOf}${counted(all, "booking")}, ${counted(places, "active place")}`;
}
