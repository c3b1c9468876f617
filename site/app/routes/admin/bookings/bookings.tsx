import { useCallback, useState } from "react";
import { useRevalidator } from "react-router";
import { browserClient } from "../../../supabase.client.ts";
import { Button } from "../../../ui/button.tsx";
import { Checking } from "../checking.tsx";
import { forgetDraft, readDraft } from "../draft.ts";
import { editing, type Editing } from "../edit.ts";
import type { Outcome } from "../outcome.ts";
import { PageFrame } from "../page-frame.tsx";
import { portalMeta } from "../portal-meta.ts";
import { requireSession } from "../session.ts";
import { useSettled } from "../settled.ts";
import { BookingForm } from "./booking-form.tsx";
import { BookingList } from "./booking-list.tsx";
import styles from "./bookings.module.css";
import { DateChooser } from "./date-chooser.tsx";
import { DatePanel } from "./date-panel.tsx";
import { addBooking, cancelBooking, deleteBooking, findPeople, listBookableDates, listBookings, moveAll, saveBooking } from "./queries.ts";
import { readScope, sinceWhen } from "./scope.ts";
import type { Booking } from "./schema.ts";
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

/** Every booking of the dates in question, with the form for the ringing phone. */
export default function Bookings({ loaderData }: Route.ComponentProps) {
  const { userId, email, dateId, all, asked, bookings, dates } = loaderData;
  const newDraft = { userId, form: "booking" };
  const editDraft = { userId, form: "booking-edit" };
  const [adding, setAdding] = useState(() => asked || readDraft(sessionStorage, newDraft) !== null);
  const [edit, setEdit] = useState<Editing<Booking> | null>(null);
  const [unfinished, setUnfinished] = useState(() => readDraft(sessionStorage, editDraft)?.["id"]);
  const [notice, setNotice] = useState<Outcome | null>(null);
  const { revalidate } = useRevalidator();
  const answer = useSettled(dates);
  const loaded = useSettled(bookings);
  const find = useCallback((words: string) => findPeople(browserClient(), words), []);
  const known = answer?.ok ? answer.rows : [];

  // An edit that a sign-out cut off goes on where it was.
  const resumed = unfinished !== undefined && loaded?.ok ? loaded.rows.find(({ id }) => id === unfinished) : undefined;
  if (resumed && !edit) {
    setUnfinished(undefined);
    setEdit(editing(resumed));
  }

  function begin(booking: Booking): void {
    forgetDraft(sessionStorage, editDraft);
    setNotice(null);
    setAdding(false);
    setEdit(editing(booking));
  }

  function toggle(): void {
    forgetDraft(sessionStorage, editDraft);
    setNotice(null);
    setAdding(!adding && !edit);
    setEdit(null);
  }

  function show(outcome: Outcome): void {
    setNotice(outcome);
    void revalidate();
  }

  function finish(outcome: Outcome): void {
    setAdding(false);
    setEdit(null);
    show(outcome);
  }

  async function quietly(action: Promise<Outcome>): Promise<Outcome> {
    setNotice(null);
    return action;
  }

  const open = adding || edit !== null;
  return (
    <PageFrame
      title={TITLE}
      email={email}
      back
      notice={notice}
      action={
        <Button look={open ? "plain" : "primary"} aria-expanded={open} aria-controls="form" onClick={toggle}>
          {open ? "Cancel" : "New Booking"}
        </Button>
      }
    >
      <div id="form" className={styles.form} hidden={!open}>
        {edit && (
          <BookingForm
            key={edit.opened.id}
            draft={editDraft}
            dates={withOwnDate(known, edit.opened)}
            booking={edit.opened}
            find={find}
            submit={(form) => saveBooking(browserClient(), edit, form)}
            onDone={finish}
          />
        )}
        {adding && !edit && (
          <BookingForm
            draft={newDraft}
            dates={known}
            dateId={dateId ?? undefined}
            find={find}
            submit={(form) => addBooking(browserClient(), form)}
            onDone={finish}
          />
        )}
      </div>
      <DateChooser dates={known} dateId={dateId} all={all} />
      {dateId !== null && (
        <DatePanel key={dateId} dateId={dateId} dates={known} move={(to) => quietly(moveAll(browserClient(), dateId, to))} onDone={show} />
      )}
      <BookingList
        bookings={bookings}
        edit={begin}
        cancel={(id) => quietly(cancelBooking(browserClient(), id))}
        remove={(id) => quietly(deleteBooking(browserClient(), id))}
        onOutcome={show}
      />
    </PageFrame>
  );
}

/** An old booking keeps its date among the choices. */
function withOwnDate(dates: Parameters<typeof BookingForm>[0]["dates"], { course_id, course_dates, places }: Booking) {
  if (dates.some(({ id }) => id === course_id)) return dates;
  return [{ id: course_id, ...course_dates, capacity: places, places_left: 0, status: "open" }, ...dates];
}
