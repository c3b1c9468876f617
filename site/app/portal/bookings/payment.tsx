import { ActionButton } from "../lists/row-actions.tsx";
import { PAYMENT_METHODS, paymentInWords, type Booking } from "./fields.ts";
import styles from "./payment.module.css";
import { isDue } from "./payments.ts";

/** Labels on the buttons that are shorter than the words. */
const SHORT: Readonly<Record<string, string>> = { bank_transfer: "Transfer" };

interface PaymentProps {
  booking: Booking;
  /** The booking in words. */
  what: string;
  markPaid: (booking: Booking, method: string) => Promise<unknown>;
}

/** The payment of a booking; one that is due has a button for each way to pay. */
export function Payment({ booking, what, markPaid }: PaymentProps) {
  const due = isDue(booking);
  return (
    <div className={styles.payment}>
      <span className="chip" data-tone={due || booking.payment_status === "paid" ? booking.payment_status : undefined}>
        {paymentInWords(booking)}
      </span>
      {due && (
        <span className={styles.methods}>
          {Object.entries(PAYMENT_METHODS).map(([method, label]) => (
            <ActionButton key={method} aria-label={`Mark paid, ${label.toLowerCase()}: ${what}`} run={() => markPaid(booking, method)}>
              {SHORT[method] ?? label}
            </ActionButton>
          ))}
        </span>
      )}
    </div>
  );
}
