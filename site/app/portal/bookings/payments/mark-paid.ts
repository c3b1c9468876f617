import type { BrowserSupabase } from "../../../supabase/supabase.client.ts";
import { counted } from "../../frame/counted.ts";
import { done, refused, type Outcome } from "../../frame/outcome.ts";
import { idGroups } from "../../lists/read-list.ts";
import { paymentInWords, type Booking } from "../fields.ts";
import { PAYMENT, undoPaid } from "./undo-paid.ts";

type BookingPayment = Pick<Booking, "payment_status" | "payment_method">;

/** Marks a booking as paid; the undo makes it due again. */
export async function markPaid(supabase: BrowserSupabase, booking: Booking, method: string): Promise<Outcome> {
  const { name } = booking;
  const paid = { payment_status: "paid", payment_method: method };
  return change(supabase, [booking], paid, {
    changed: () => `${name} paid: ${paymentInWords(paid)}.`,
    undone: () => `The booking of ${name} is not paid.`,
  });
}

/** Marks bookings that are due as paid; the undo makes those that were changed due again. */
export async function markAllPaid(supabase: BrowserSupabase, bookings: readonly Booking[], method: string): Promise<Outcome> {
  const paid = { payment_status: "paid", payment_method: method };
  return change(supabase, bookings, paid, {
    changed: (count) => `${counted(count, "booking")} marked: ${paymentInWords(paid)}.${othersOf(bookings.length - count)}`,
    undone: (count) => (count === 1 ? "1 booking is not paid." : `${count} bookings are not paid.`),
  });
}

interface Words {
  changed: (count: number) => string;
  undone: (count: number) => string;
}

async function change(supabase: BrowserSupabase, bookings: readonly Booking[], paid: BookingPayment, words: Words): Promise<Outcome> {
  const stored: { id: string; updated_at: string }[] = [];
  let problem = "";
  for (const some of idGroups(bookings.map(({ id }) => id))) {
    const { data, error } = await supabase.from("bookings").update(paid).in("id", some).eq("payment_status", "due").select(PAYMENT);
    if (error) {
      problem = `Failed to save booking: ${error.message}`;
      break;
    }
    stored.push(...data);
  }
  if (stored.length === 0) return refused(problem || "Not due any more, so nothing was changed.");
  return {
    ...done(`${words.changed(stored.length)} ${problem}`.trim()),
    stored,
    undo: () => undoPaid(supabase, bookings, new Map(stored.map(({ id, updated_at }) => [id, updated_at])), words.undone),
  };
}

function othersOf(count: number): string {
  if (count === 0) return "";
  return count === 1 ? " 1 other was changed or deleted by somebody else." : ` ${count} others were changed or deleted by somebody else.`;
}
