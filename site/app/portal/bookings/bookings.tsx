import { lazy, Suspense } from "react";
import { browserClient } from "../../supabase/supabase.client.ts";
import { listBookableDates, recentSince } from "../bookable-dates/bookable-date.ts";
import { idParam } from "../forms/search-params.ts";
import { LoadingPage } from "../frame/loading-page.tsx";
import { startEdit } from "../records/save-record.ts";
import type { Loaded, Outcome } from "../frame/outcome.ts";
import { portalMeta } from "../frame/portal-meta.ts";
import { RecordPage } from "../records/record-page.tsx";
import { requireSession } from "../session/session.ts";
import { usePromise } from "../frame/use-promise.ts";
import { useRecordPage } from "../records/use-record-page.ts";
import { BookingList } from "./booking-list.tsx";
import { DateChooser } from "./date-chooser.tsx";
import { openForm, type BookingsForm } from "./open-form.ts";
import { OpenBookingsForm } from "./open-bookings-form.tsx";
import { cancelBooking, deleteBooking, listBookings, moveAll } from "./queries.ts";
import { listWaiting, withNextToCall, type WaitingEntry } from "./waiting-list/waiting-list.ts";
import type { Route } from "./+types/bookings";

// Lazy: not needed to take a booking by phone.
const DatePanel = lazy(() => import("./date-panel.tsx"));

const TITLE = "Bookings";
const NO_ENTRIES: Promise<Loaded<WaitingEntry>> = Promise.resolve({ ok: true, rows: [] });

export function meta() {
  return portalMeta(TITLE);
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { user } = await requireSession();
  const search = new URL(request.url).searchParams;
  const dateId = idParam(search, "date");
  const enquiryId = idParam(search, "enquiry");
  const all = search.get("when") === "all";
  const since = recentSince(Date.now());
  const supabase = browserClient();
  return {
    userId: user.id,
    email: user.email,
    dateId,
    all,
    requested: enquiryId === null ? search.has("new") : { form: "enquiry", id: enquiryId },
    bookings: listBookings(supabase, dateId === null ? (all ? "all" : { since }) : { date: dateId }),
    dates: listBookableDates(supabase, { since, id: dateId }),
    waiting: dateId === null ? NO_ENTRIES : listWaiting(supabase, dateId),
  };
}
clientLoader.hydrate = true as const;

export function HydrateFallback() {
  return <LoadingPage title={TITLE} />;
}

/** The bookings of the selected course dates, with the forms to add and change them. */
export default function Bookings({ loaderData }: Route.ComponentProps) {
  const { userId, email, dateId, all, requested, ...lists } = loaderData;
  const page = useRecordPage<BookingsForm>({
    userId,
    area: "booking",
    requested,
    reopen: (form, id) => openForm(browserClient(), lists, form, id),
  });
  const answer = usePromise(lists.dates);
  const dates = answer?.ok ? answer.rows : [];
  const { open } = page;
  /** Runs an action that may free places on a date, and reports the person to call next. */
  const free = (ofDate: string, freeing: Promise<Outcome>): Promise<Outcome> => withNextToCall(browserClient(), ofDate, dateId, freeing);
  return (
    <RecordPage
      title={TITLE}
      email={email}
      page={page}
      addLabel="New booking"
      form={open && <OpenBookingsForm open={open} page={page} dates={dates} dateId={dateId} />}
    >
      <DateChooser dates={dates} dateId={dateId} all={all} />
      {dateId !== null && (
        <Suspense>
          <DatePanel
            key={dateId}
            userId={userId}
            dateId={dateId}
            dates={dates}
            waiting={lists.waiting}
            page={page}
            move={(to) => free(dateId, moveAll(browserClient(), dateId, to))}
          />
        </Suspense>
      )}
      <BookingList
        bookings={lists.bookings}
        removed={page.removed}
        edit={(booking) => page.begin({ form: "edit", edit: startEdit(booking) })}
        cancel={({ id, course_id }) => page.act(() => free(course_id, cancelBooking(browserClient(), id)))}
        remove={(booking) => page.remove(booking, () => free(booking.course_id, deleteBooking(browserClient(), booking.id)))}
      />
    </RecordPage>
  );
}
