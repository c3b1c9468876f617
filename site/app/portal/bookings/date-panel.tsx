import { Suspense, useState } from "react";
import { href, Link } from "react-router";
import { lazyPart } from "../frame/lazy-part.tsx";
import { browserClient } from "../../supabase/supabase.client.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Message } from "../../ui/message.tsx";
import { readUnsaved } from "../forms/unsaved-form.ts";
import { textOf } from "../forms/form-text.ts";
import type { Loaded } from "../frame/outcome.ts";
import { useUser } from "../frame/use-user.ts";
import { PortalForm } from "../forms/portal-form.tsx";
import { dateInWords, type BookableDate } from "../bookable-dates/bookable-date.ts";
import { DateOptions } from "../bookable-dates/date-options.tsx";
import { isPast } from "../bookable-dates/course-date-status.ts";
import { placesInWords } from "../bookable-dates/places.ts";
import type { RecordPageState } from "../records/use-record-page.ts";
import type { Booking } from "./fields.ts";
import type { BookingsForm } from "./open-form.ts";
import { moveAll } from "./move-all.ts";
import { withNextToCall, type WaitingEntry } from "./waiting-list/waiting-list.ts";
import { WaitingPanel } from "./waiting-list/waiting-panel.tsx";

// Lazy: few dates are called off.
const CallOffDialog = lazyPart(() => import("./call-off/call-off-dialog.tsx"));

interface DatePanelProps {
  dateId: string;
  dates: readonly BookableDate[];
  bookings: Promise<Loaded<Booking>>;
  waiting: Promise<Loaded<WaitingEntry>>;
  page: RecordPageState<BookingsForm>;
}

/** One course date above its bookings: places, register, the form that moves all bookings, and the waiting list. */
export default function DatePanel({ dateId, dates, bookings, waiting, page }: DatePanelProps) {
  const { userId = "" } = useUser() ?? {};
  const formKey = { userId, area: "move-bookings", form: dateId };
  const [unsaved] = useState(() => readUnsaved(formKey) !== null);
  const [isCallingOff, setCallingOff] = useState(false);
  const date = dates.find(({ id }) => id === dateId);
  if (!date) {
    return dates.length === 0 ? null : (
      <div ref={focusIfLost} tabIndex={-1}>
        <Message>
          <p>This date does not exist any more.</p>
        </Message>
      </div>
    );
  }
  // The same course first, since people usually move within it.
  const others = dates
    .filter(({ id }) => id !== dateId)
    .toSorted((a, b) => Number(b.course_name === date.course_name) - Number(a.course_name === date.course_name));
  return (
    <>
      <section className="panel" aria-labelledby="date-title">
        <h2 id="date-title">{date.status === "cancelled" ? <s>{dateInWords(date)}</s> : dateInWords(date)}</h2>
        <p className="row">
          <strong>{placesInWords(date)}</strong>
          <Link to={href("/admin/courses/:dateId/register", { dateId })}>Printable register</Link>
          {date.status !== "cancelled" && !isPast(date) && (
            <Button look="danger" size="small" className="quiet" onClick={() => setCallingOff(true)}>
              Call off…
            </Button>
          )}
        </p>
        {isCallingOff && (
          <Suspense>
            <CallOffDialog date={date} dates={dates} bookings={bookings} onClose={() => setCallingOff(false)} onDone={page.show} />
          </Suspense>
        )}
        <details open={unsaved}>
          <summary>Move all to…</summary>
          <PortalForm
            name="Move all bookings"
            label="Move all bookings"
            busyLabel="Moving..."
            checksFields
            formKey={formKey}
            about={dateId}
            submit={(form) => withNextToCall(browserClient(), dateId, dateId, moveAll(browserClient(), dateId, textOf(form, "target")))}
            onDone={page.show}
          >
            {({ field }) => (
              <SelectField
                {...field("target")}
                label="Another date"
                hint="Moves every active booking, or none if there are too few places."
                required
              >
                <DateOptions dates={others} />
              </SelectField>
            )}
          </PortalForm>
        </details>
      </section>
      <WaitingPanel date={date} waiting={waiting} page={page} />
    </>
  );
}

/** Focuses a message if the focused element was removed with the date. */
function focusIfLost(box: HTMLElement | null): void {
  if (document.activeElement === document.body) box?.focus();
}
