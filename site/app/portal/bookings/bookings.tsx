import { lazy, Suspense } from "react";
import { browserClient } from "../../supabase/supabase.client.ts";
import { dateInWords, listBookableDates, recentSince } from "../bookable-dates/bookable-date.ts";
import { subject } from "../forms/form-text.ts";
import { idParam } from "../forms/search-params.ts";
import { ScopeSelect } from "../lists/scope-select.tsx";
import type { Loaded } from "../frame/outcome.ts";
import { RecordPage } from "../records/record-page.tsx";
import { usePromise } from "../frame/use-promise.ts";
import { useRecordPage } from "../records/use-record-page.ts";
import { BookingList } from "./booking-list.tsx";
import { openForm, type BookingsForm } from "./open-form.ts";
import { OpenBookingsForm } from "./open-bookings-form.tsx";
import { listBookings, type Scope } from "./queries.ts";
import { listWaiting, type WaitingEntry } from "./waiting-list/waiting-list.ts";
import { loadedBy } from "../lists/use-filters.ts";
import type { Route } from "./+types/bookings";

// Lazy: not needed to take a booking by phone.
const DatePanel = lazy(() => import("./date-panel.tsx"));

const NO_ENTRIES: Promise<Loaded<WaitingEntry>> = Promise.resolve({ ok: true, rows: [] });

export const shouldRevalidate = loadedBy("date", "when", "enquiry", "new");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const search = new URL(request.url).searchParams;
  const dateId = idParam(search, "date");
  const enquiryId = idParam(search, "enquiry");
  const since = recentSince(Date.now());
  const when = search.get("when");
  const scope: Scope = dateId !== null ? { date: dateId } : when === "all" || when === "unpaid" ? when : { since };
  const supabase = browserClient();
  return {
    dateId,
    // Only the recent bookings leave older ones out.
    since: typeof scope === "object" && "since" in scope ? scope.since : null,
    requested: enquiryId === null ? search.has("new") : { form: "enquiry", id: enquiryId },
    bookings: listBookings(supabase, scope),
    dates: listBookableDates(supabase, { since, id: dateId }),
    waiting: dateId === null ? NO_ENTRIES : listWaiting(supabase, dateId),
  };
}

/** The bookings of the selected course dates, with the forms to add and change them. */
export default function Bookings({ loaderData: { dateId, since, requested, ...lists } }: Route.ComponentProps) {
  const page = useRecordPage<BookingsForm>({
    area: "booking",
    requested,
    reopen: (form, id) => openForm(browserClient(), lists, form, id),
    inWords: ({ name = "" }, form) => subject(form.startsWith("wait") ? "waiting list entry" : "booking", name),
  });
  const result = usePromise(lists.dates);
  const dates = result?.ok ? result.rows : [];
  return (
    <RecordPage
      page={page}
      addLabel="New booking"
      form={page.open && <OpenBookingsForm open={page.open} page={page} dates={dates} dateId={dateId} />}
    >
      <BookingList
        bookings={lists.bookings}
        page={page}
        dateId={dateId}
        since={since}
        scope={
          <ScopeSelect label="Bookings of" recent="The last 30 days and upcoming" choices={{ unpaid: "Not paid" }} dateId={dateId}>
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
