import { browserClient } from "../../supabase/supabase.client.ts";
import { dateInWords } from "../bookable-dates/bookable-date.ts";
import type { Outcome } from "../frame/outcome.ts";
import { RowAction, RowActions } from "../lists/row-actions.tsx";
import { DeleteButton } from "../records/delete-button.tsx";
import { startEdit } from "../records/save-record.ts";
import type { RecordPageState } from "../records/use-record-page.ts";
import type { Booking } from "./fields.ts";
import type { BookingsForm } from "./open-form.ts";
import { withNextToCall } from "./waiting-list/waiting-list.ts";

interface BookingActionsProps {
  booking: Booking;
  page: RecordPageState<BookingsForm>;
  /** The selected course date. */
  dateId: string | null;
}

/** The actions of a booking, in its row and in its panel. */
export function BookingActions({ booking, page, dateId }: BookingActionsProps) {
  const what = inWords(booking);

  /** Runs an action that frees places of the booking, and reports the person to call next. */
  async function free(name: "cancelBooking" | "deleteBooking"): Promise<Outcome> {
    // Lazy: most visits end no booking.
    const { [name]: action } = await import("./end-booking.ts");
    return withNextToCall(browserClient(), booking.course_id, dateId, action(browserClient(), booking.id));
  }

  return (
    <RowActions>
      <RowAction label="Edit" what={what} run={() => page.begin({ form: "edit", edit: startEdit(booking) })} />
      {booking.status === "active" && (
        <DeleteButton
          verb="Cancel"
          busyLabel="Cancelling..."
          keepLabel="Keep booking"
          what={what}
          question={`Cancel the booking of ${booking.name}?`}
          consequence="Its places become free; the booking stays on record."
          run={() => page.act(() => free("cancelBooking"))}
        />
      )}
      <DeleteButton
        what={what}
        question="Are you sure you want to delete this booking?"
        run={() => page.remove(booking, () => free("deleteBooking"))}
      />
    </RowActions>
  );
}

/** "Ada Fell, Lvl 2 CCTV, Mon 30 Nov 2026, 09:00" */
export function inWords({ name, course_dates }: Booking): string {
  return `${name}, ${dateInWords(course_dates)}`;
}
