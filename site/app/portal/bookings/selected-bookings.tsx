import { browserClient } from "../../supabase/supabase.client.ts";
import { Button } from "../../ui/button.tsx";
import type { Outcome } from "../frame/outcome.ts";
import { WriteTo } from "../lists/selection/write-to.tsx";
import { isDue, PAYMENT_METHODS, type Booking } from "./fields.ts";
import { markAllPaid } from "./payments/mark-paid.ts";

interface SelectedBookingsProps {
  bookings: readonly Booking[];
  act: (action: () => Promise<Outcome>) => Promise<Outcome>;
  /** Clears the selection. */
  clear: () => void;
}

/** The actions on selected bookings: mark those that are due as paid, and write to all with an e-mail address. */
export default function SelectedBookings({ bookings, act, clear }: SelectedBookingsProps) {
  const due = bookings.filter(isDue);

  async function markPaid(method: string): Promise<void> {
    const { ok } = await act(() => markAllPaid(browserClient(), due, method));
    if (ok) clear();
  }

  return (
    <>
      {due.length > 0 && (
        <span className="row">
          Mark {due.length} paid:
          {Object.entries(PAYMENT_METHODS).map(([method, label]) => (
            <Button
              key={method}
              look="plain"
              size="small"
              aria-label={`Mark ${due.length} paid, ${label.toLowerCase()}`}
              onClick={() => void markPaid(method)}
            >
              {label}
            </Button>
          ))}
        </span>
      )}
      <WriteTo people={bookings} />
    </>
  );
}
