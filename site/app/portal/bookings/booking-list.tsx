import { Suspense, useMemo, type ReactNode } from "react";
import { href, Link, useSearchParams } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { lazyPart } from "../frame/lazy-part.tsx";
import { Contacts } from "../lists/contact/contact-link.tsx";
import type { RecordPageState } from "../records/use-record-page.ts";
import type { Loaded } from "../frame/outcome.ts";
import type { PageNotice } from "../frame/use-notice.ts";
import { RowLink } from "../lists/open-record/row-link.tsx";
import { RecordList, type Further } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { counted } from "../frame/counted.ts";
import { daySearch } from "../../time/day-search.ts";
import { londonDate, londonWeekday } from "../../time/london-date.ts";
import { londonToday } from "../../time/london-time.ts";
import { isPast } from "../bookable-dates/course-date-status.ts";
import type { Booking } from "./fields.ts";
import { BookingActions, inWords } from "./booking-actions.tsx";
import { bookingColumns, bookingFilter } from "./filter.ts";
import type { BookingsForm } from "./open-form.ts";
import { Payment } from "./payment.tsx";
import { searchBookings } from "./queries.ts";

// Lazy: most visits select nothing.
const SelectedBookings = lazyPart(() => import("./selected-bookings.tsx"));

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

const COURSE: Column<Booking> = { heading: "Course", share: 21, cell: ({ course_dates }) => <When {...course_dates} /> };

function columnsWith(act: PageNotice["act"], isOneDate: boolean): readonly Column<Booking>[] {
  return [
    { heading: "Name", share: 29, cell: (booking) => <Who booking={booking} /> },
    ...(isOneDate ? [] : [COURSE]),
    { heading: "Contact", share: 31, cell: (booking) => <Contacts {...booking} /> },
    { heading: "Places", cell: ({ places }) => <span className="number">{places}</span> },
    { heading: "Payment", cell: (booking) => <Payment booking={booking} what={inWords(booking)} act={act} /> },
  ];
}

/** The list of bookings with its search; the CSV file holds the rows that match. */
export function BookingList({ bookings, page, dateId, since, scope, panel }: BookingListProps) {
  const further = useMemo(() => (since === null ? undefined : olderBookings(since)), [since]);

  return (
    <RecordList
      caption="Bookings"
      loaded={bookings}
      of={dateId}
      removed={page.removed}
      columns={columnsWith(page.act, dateId !== null)}
      filter={bookingFilter}
      total={inTotal}
      further={further}
      groupOf={dateId === null ? dayOf : undefined}
      scope={scope}
      panel={panel}
      file={{ name: "bookings", columns: bookingColumns }}
      empty={{ title: "No bookings here yet...", text: "Take the first one with “New booking”." }}
      isPast={({ status }) => status === "cancelled"}
      bulk={{
        noun: "booking",
        what: inWords,
        render: (rows, clear) => (
          <Suspense>
            <SelectedBookings bookings={rows} act={page.act} clear={clear} />
          </Suspense>
        ),
      }}
      renderActions={(booking) => <BookingActions booking={booking} page={page} dateId={dateId} />}
    />
  );
}

/** "Tue 24 Nov 2026" */
function dayOf({ course_dates }: Booking): string {
  return `${londonWeekday(londonDate(course_dates.course_date))}${isPast(course_dates) ? ", past" : ""}`;
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

function Who({ booking }: { booking: Booking }) {
  const { id, name, company, note, status, enquiry_id } = booking;
  const more = [company, note].filter((text) => text !== null);
  return (
    <>
      <strong>
        <RowLink id={id} what={inWords(booking)}>
          {name}
        </RowLink>
      </strong>
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

function inTotal(listed: readonly Booking[], all: number): string {
  const places = listed.reduce((sum, { places: each, status }) => sum + (status === "active" ? each : 0), 0);
  const listedOf = listed.length === all ? "" : `${listed.length} of `;
  return `${listedOf}${counted(all, "booking")}, ${counted(places, "active place")}`;
}
