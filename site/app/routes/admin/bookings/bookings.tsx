import { useCallback } from "react";
import { browserClient } from "../../../supabase.client.ts";
import { Checking } from "../checking.tsx";
import { editing, type Editing } from "../edit.ts";
import { rowOf } from "../outcome.ts";
import { portalMeta } from "../portal-meta.ts";
import { RecordPage } from "../record-page.tsx";
import { requireSession } from "../session.ts";
import { useSettled } from "../settled.ts";
import { useRecordPage } from "../use-record-page.ts";
import { BookingForm } from "./booking-form.tsx";
import { BookingList } from "./booking-list.tsx";
import { DateChooser } from "./date-chooser.tsx";
import { DatePanel } from "./date-panel.tsx";
import { addBooking, cancelBooking, deleteBooking, findPeople, listBookableDates, listBookings, moveAll, saveBooking } from "./queries.ts";
import { readScope, sinceWhen } from "./scope.ts";
import type { BookableDate, Booking } from "./schema.ts";
import type { Route } from "./+types/bookings";

const TITLE = "Bookings";

export const handle = { client: "portal" };

export function meta() {
  return portalMeta(TITLE);
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { user } = await requireSession();
  const search = new URL(request.url).searchParams;
  const { dateId, all } = readScope(search);
  const since = sinceWhen(Date.now());
  const supabase = browserClient();
  return {
    userId: user.id,
    email: user.email,
    dateId,
    all,
    asked: search.has("new"),
    bookings: listBookings(supabase, dateId === null ? (all ? "all" : { since }) : { date: dateId }),
    dates: listBookableDates(supabase, { since, id: dateId }),
  };
}
clientLoader.hydrate = true as const;

export function HydrateFallback() {
  return <Checking title={TITLE} />;
}

interface EditForm {
  form: "edit";
  edit: Editing<Booking>;
}

/** Every booking of the dates in question, with the form for the ringing phone. */
export default function Bookings({ loaderData }: Route.ComponentProps) {
  const { userId, email, dateId, all, asked, bookings, dates } = loaderData;
  const page = useRecordPage<EditForm>({
    userId,
    area: "booking",
    asked,
    async reopen(_form, id) {
      const booking = await rowOf(bookings, id);
      return booking ? { form: "edit", edit: editing(booking) } : null;
    },
  });
  const answer = useSettled(dates);
  const known = answer?.ok ? answer.rows : [];
  const find = useCallback((words: string) => findPeople(browserClient(), words), []);
  const { open } = page;
  const shared = open && { draft: page.draftOf(open.form), onDone: page.finish, find };
  return (
    <RecordPage
      title={TITLE}
      email={email}
      page={page}
      addLabel="New Booking"
      form={
        shared &&
        (open.form === "edit" ? (
          <BookingForm
            {...shared}
            dates={withOwnDate(known, open.edit.opened)}
            booking={open.edit.opened}
            submit={(form) => saveBooking(browserClient(), open.edit, form)}
          />
        ) : (
          <BookingForm
            {...shared}
            dates={known}
            begin={open.begin ?? { course_id: dateId ?? "" }}
            submit={(form) => addBooking(browserClient(), form)}
          />
        ))
      }
    >
      <DateChooser dates={known} dateId={dateId} all={all} />
      {dateId !== null && (
        <DatePanel
          key={dateId}
          userId={userId}
          dateId={dateId}
          dates={known}
          move={(to) => moveAll(browserClient(), dateId, to)}
          onDone={page.show}
        />
      )}
      <BookingList
        bookings={bookings}
        edit={(booking) => page.begin({ form: "edit", edit: editing(booking) })}
        cancel={(id) => page.act(() => cancelBooking(browserClient(), id))}
        remove={(id) => page.act(() => deleteBooking(browserClient(), id))}
      />
    </RecordPage>
  );
}

/** An old booking keeps its date among the choices. */
function withOwnDate(dates: readonly BookableDate[], { course_id, course_dates, places }: Booking): readonly BookableDate[] {
  if (dates.some(({ id }) => id === course_id)) return dates;
  return [{ id: course_id, ...course_dates, capacity: places, places_left: 0, status: "open" }, ...dates];
}
