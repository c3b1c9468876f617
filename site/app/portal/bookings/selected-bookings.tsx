import { useState } from "react";
import { browserClient } from "../../supabase/supabase.client.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { copied } from "../forms/copied.ts";
import type { Outcome } from "../frame/outcome.ts";
import { addressesOf, bccHref } from "../lists/bcc.ts";
import { PAYMENT_METHODS, type Booking } from "./fields.ts";
import { isDue, markAllPaid } from "./payments.ts";

interface SelectedBookingsProps {
  bookings: readonly Booking[];
  act: (action: () => Promise<Outcome>) => Promise<void>;
  /** Clears the selection. */
  clear: () => void;
}

/** The actions on selected bookings: mark those that are due as paid, and write to all with an e-mail address. */
export default function SelectedBookings({ bookings, act, clear }: SelectedBookingsProps) {
  const [announced, setAnnounced] = useState("");
  const due = bookings.filter(isDue);
  const addresses = addressesOf(bookings);
  const href = bccHref(addresses);

  async function markPaid(method: string): Promise<void> {
    await act(() => markAllPaid(browserClient(), due, method));
    clear();
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
      {href !== null && (
        <ButtonLink look="plain" size="small" href={href}>
          Write to {addresses.length}
        </ButtonLink>
      )}
      {addresses.length > 0 && (
        <Button
          look="plain"
          size="small"
          onClick={async () => setAnnounced((await copied(addresses.join(", "))) ? "Copied." : "The browser does not allow copying.")}
        >
          Copy {addresses.length} {addresses.length === 1 ? "address" : "addresses"}
        </Button>
      )}
      <span role="status" className={announced === "" ? "visually-hidden" : undefined}>
        {announced}
      </span>
    </>
  );
}
