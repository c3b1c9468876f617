import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { counted } from "../frame/counted.ts";
import { done, refused, type Outcome } from "../frame/outcome.ts";
import { idGroups } from "../lists/read-list.ts";
import { paymentInWords, type Booking } from "./fields.ts";

type BookingPayment = Pick<Booking, "payment_status" | "payment_method">;

/** True for an active booking that is not paid. */
export function isDue({ status, payment_status }: Pick<Booking, "status" | "payment_status">): boolean {
  return status === "active" && payment_status === "due";
}

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
  const ids = bookings.map(({ id }) => id);
  const { changed, problem } = await setPayment(supabase, ids, "due", paid);
  if (changed.size === 0) return refused(problem ?? "Not due any more, so nothing was changed.");
  return {
    ...done(`${words.changed(changed.size)}${problem === undefined ? "" : ` ${problem}`}`),
    async undo() {
      const former = Map.groupBy(
        bookings.filter(({ id }) => changed.has(id)),
        ({ payment_method }) => payment_method,
      );
      let count = 0;
      for (const [payment_method, group] of former) {
        const due = { payment_status: "due", payment_method };
        const back = await setPayment(
          supabase,
          group.map(({ id }) => id),
          "paid",
          due,
        );
        count += back.changed.size;
        if (back.problem !== undefined) return refused(back.problem);
      }
      return count === 0 ? refused("Not paid any more, so nothing was changed.") : done(words.undone(count));
    },
  };
}

/** Sets the payment of the bookings that still have the former status; returns their ids, and the error of the rest. */
async function setPayment(
  supabase: BrowserSupabase,
  ids: readonly string[],
  from: string,
  to: BookingPayment,
): Promise<{ changed: ReadonlySet<string>; problem?: string }> {
  const changed = new Set<string>();
  for (const some of idGroups(ids)) {
    const { data, error } = await supabase.from("bookings").update(to).in("id", some).eq("payment_status", from).select("id");
    if (error) return { changed, problem: `Failed to save booking: ${error.message}` };
    for (const { id } of data) changed.add(id);
  }
  return { changed };
}

function othersOf(count: number): string {
  if (count === 0) return "";
  return count === 1 ? " 1 other was changed or deleted by somebody else." : ` ${count} others were changed or deleted by somebody else.`;
}
