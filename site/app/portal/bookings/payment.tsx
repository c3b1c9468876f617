import { browserClient } from "../../supabase/supabase.client.ts";
import type { Outcome } from "../frame/outcome.ts";
import type { PageNotice } from "../frame/use-notice.ts";
import { ActionButton } from "../lists/row-actions.tsx";
import { isDue, PAYMENT_METHODS, paymentInWords, type Booking } from "./fields.ts";
import styles from "./payment.module.css";

/** Shorter labels for buttons. */
const SHORT: Readonly<Record<string, string>> = { bank_transfer: "Transfer" };

interface PaymentProps {
  booking: Booking;
  /** The booking in words. */
  what: string;
  act: PageNotice["act"];
}

/** The payment of a booking; one that is due has a button for each way to pay. */
export function Payment({ booking, what, act }: PaymentProps) {
  const due = isDue(booking);
  return (
    <div className={styles.payment}>
      <span className="chip" data-tone={due || booking.payment_status === "paid" ? booking.payment_status : undefined}>
        {paymentInWords(booking)}
      </span>
      {due && (
        <span className={styles.methods}>
          {Object.entries(PAYMENT_METHODS).map(([method, label]) => (
            <ActionButton
              key={method}
              aria-label={`Mark paid, ${label.toLowerCase()}: ${what}`}
              run={() => act(() => markPaid(booking, method))}
            >
              {SHORT[method] ?? label}
            </ActionButton>
          ))}
        </span>
      )}
    </div>
  );
}

async function markPaid(booking: Booking, method: string): Promise<Outcome> {
  // Lazy: most visits receive no payment.
  const payments = await import("./payments/mark-paid.ts");
  return payments.markPaid(browserClient(), booking, method);
}
