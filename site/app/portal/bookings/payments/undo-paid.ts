import { href } from "react-router";
import type { BrowserSupabase } from "../../../supabase/supabase.client.ts";
import { done, refused, type Outcome } from "../../frame/outcome.ts";
import { idGroups } from "../../lists/read-list.ts";
import type { Booking } from "../fields.ts";

/** The most bookings in one request, whose URL contains their ids and times. */
const MOST_BOOKINGS = 50;

/** The columns of a booking that a payment changes. */
export const PAYMENT = "id, updated_at, payment_status, payment_method";

type Former = Pick<Booking, "id" | "name" | "payment_method">;

/** Sets bookings that were marked as paid to due, except those that somebody else changed since; `saved` has the time of each save by id. */
export async function undoPaid(
  supabase: BrowserSupabase,
  bookings: readonly Former[],
  saved: ReadonlyMap<string, string>,
  undone: (count: number) => string,
): Promise<Outcome> {
  const changed = bookings.filter(({ id }) => saved.has(id));
  const stored: { id: string; updated_at: string }[] = [];
  for (const [payment_method, group] of Map.groupBy(changed, (booking) => booking.payment_method)) {
    const ids = group.map(({ id }) => id);
    for (const some of idGroups(ids, MOST_BOOKINGS)) {
      const { data, error } = await supabase
        .from("bookings")
        .update({ payment_status: "due", payment_method })
        .in("id", some)
        .in(
          "updated_at",
          some.flatMap((id) => saved.get(id) ?? []),
        )
        .select(PAYMENT);
      if (error) return refused(`Failed to save booking: ${error.message}`);
      stored.push(...data);
    }
  }
  const back = new Set(stored.map(({ id }) => id));
  const others = changed.filter(({ id }) => !back.has(id));
  const [first] = others;
  if (!first) return { ...done(undone(back.size)), stored };
  const [whose, what] = others.length === 1 ? ["booking", "its payment was"] : ["bookings", "their payments were"];
  const names = others.map(({ name }) => name).join(", ");
  const message = `Somebody else changed or deleted the ${whose} of ${names} meanwhile, so ${what} not undone.`;
  const next = others.length === 1 ? { next: { to: `${href("/admin/bookings")}?open=${first.id}`, label: "Show the booking" } } : {};
  return back.size === 0 ? { ...refused(message), ...next } : { ...done(`${undone(back.size)} ${message}`), stored, ...next };
}
