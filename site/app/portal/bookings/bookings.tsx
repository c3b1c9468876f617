import { Suspense } from "react";
import { lazyPart } from "../frame/lazy-part.tsx";
import { addDays, londonToday, startOfDay } from "../../time/london-time.ts";
import { browserClient } from "../../supabase/supabase.client.ts";
import { dateInWords, listBookableDates, recentSince } from "../bookable-dates/bookable-date.ts";
import { subject } from "../forms/form-text.ts";
import { idParam } from "../forms/search-params.ts";
import { useOpenRecord } from "../lists/open-record/open-record.ts";
import { ScopeSelect } from "../lists/scope-select.tsx";
import type { Loaded } from "../frame/outcome.ts";
import type { EditedRecord } from "../records/edited-by.tsx";
import { RecordPage } from "../records/record-page.tsx";
import { useLoaded } from "../frame/use-loaded.ts";
import { useFollowChanges } from "../live/use-follow-changes.ts";
import { useRecordPage, type RecordPageState } from "../records/use-record-page.ts";
import { BookingList } from "./booking-list.tsx";
import { openForm, type BookingsForm } from "./open-form.ts";
import { OpenBookingsForm } from "./open-bookings-form.tsx";
import { listBookings, readBooking, type Scope } from "./queries.ts";
import { listWaiting, type WaitingEntry } from "./waiting-list/waiting-list.ts";
import { loadedBy } from "../lists/use-filters.ts";
import type { Route } from "./+types/bookings";

// Lazy: not needed to take a booking by phone.
const DatePanel = lazyPart(() => import("./date-panel.tsx"));

// Lazy: most visits open no record.
const BookingPanel = lazyPart(() => import("./booking-panel.tsx"));

const NO_ENTRIES: Promise<Loaded<WaitingEntry>> = Promise.resolve({ ok: true, rows: [] });

export const shouldRevalidate = loadedBy("date", "when");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const search = new URL(request.url).searchParams;
  const dateId = idParam(search, "date");
  const now = Date.now();
  const since = recentSince(now);
  const scope = dateId === null ? scopeOf(search.get("when"), now) : { date: dateId };
  const supabase = browserClient();
  return {
    dateId,
    // Only the scope of recent bookings omits older ones.
    since: typeof scope === "object" && "since" in scope ? scope.since : null,
    bookings: listBookings(supabase, scope),
    dates: listBookableDates(supabase, { since, id: dateId }),
    waiting: dateId === null ? NO_ENTRIES : listWaiting(supabase, dateId),
  };
}

/** The choices of `when` beside the recent bookings and all. */
const WHENS = { today: "Today", week: "The next seven days", unpaid: "Not paid", past: "Past" };

function scopeOf(when: string | null, now: number): Scope {
  const today = londonToday(now);
  switch (when) {
    case "all":
    case "unpaid":
      return when;
    case "today":
      return { days: [today] };
    case "week":
      return { days: Array.from({ length: 7 }, (_, index) => addDays(today, index)) };
    case "past":
      return { before: startOfDay(today) };
    default:
      return { since: recentSince(now) };
  }
}

/** The bookings of the selected course dates, with the forms to add and change them. */
export default function Bookings({ loaderData: { dateId, since, ...lists } }: Route.ComponentProps) {
  const page = useRecordPage<BookingsForm>({
    area: "booking",
    requests: ["new", "enquiry"],
    reopen: (form, id) => openForm(browserClient(), lists, form, id),
    inWords: ({ name = "" }, form) => subject(form.startsWith("wait") ? "waiting list entry" : "booking", name),
  });
  useFollowChanges(["bookings", "course_dates", "waiting_list"], { isPaused: page.isPaused });
  const opened = useOpenRecord(lists.bookings, page.removed, (id) => readBooking(browserClient(), id));
  const result = useLoaded(lists.dates);
  const dates = result?.ok ? result.rows : [];
  return (
    <RecordPage
      page={page}
      addLabel="New booking"
      edited={editedIn(page)}
      panel={opened && <BookingPanel open={opened} page={page} dateId={dateId} />}
      form={page.open && <OpenBookingsForm open={page.open} page={page} dates={dates} dateId={dateId} />}
    >
      <BookingList
        bookings={lists.bookings}
        page={page}
        dateId={dateId}
        since={since}
        scope={
          <ScopeSelect label="Bookings of" recent="From 30 days ago" choices={WHENS} dateId={dateId}>
            {dates.map((date) => (
              <option key={date.id} value={date.id}>
                {dateInWords(date)}
              </option>
            ))}
          </ScopeSelect>
        }
        panel={
          dateId !== null && (
            <Suspense>
              <DatePanel key={dateId} dateId={dateId} dates={dates} bookings={lists.bookings} waiting={lists.waiting} page={page} />
            </Suspense>
          )
        }
      />
    </RecordPage>
  );
}

function editedIn({ open }: RecordPageState<BookingsForm>): EditedRecord | undefined {
  switch (open?.form) {
    case "edit":
      return { table: "bookings", id: open.edit.opened.id, noun: "booking" };
    case "wait-edit":
      return { table: "waiting_list", id: open.edit.opened.id, noun: "entry" };
    default:
      return undefined;
  }
}
