import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { done, refused, type Outcome, type Refusal } from "../frame/outcome.ts";

/** What can be brought back after it was deleted, by its table. */
export type UndoKind = "course_dates" | "blog_posts" | "bookings";

/** Where to put what comes back, if not where it was: a booking on another date, a post at another address. */
export interface Instead {
  onto?: string;
  address?: string;
}

const KEPT_NO_LONGER = "PT404";
const THERE_ALREADY = "PT412";
const NOT_ENOUGH_PLACES = "PT409";
const DATE_CANCELLED = "PT410";
const FOREIGN_KEY_VIOLATION = "23503";
const UNIQUE_VIOLATION = "23505";
const BACK = { course_dates: "Course is back.", blog_posts: "Blog post is back.", bookings: "Booking is back." };

/** Brings back what was deleted in the last 30 days, or says why it cannot and at which field of `Instead` that can be put right. */
export async function undoDelete(supabase: BrowserSupabase, kind: UndoKind, id: string, instead: Instead = {}): Promise<Outcome> {
  const { data, error } = await supabase.rpc("undo_delete", { kind, record_id: id, ...instead });
  if (error) return { ...whyNot(error), next: { to: `/admin/changes?record=${id}`, label: "Show what was deleted" } };
  const more = data - 1;
  if (more === 0) return done(BACK[kind]);
  return done(`${BACK[kind]} ${more === 1 ? "1 booking" : `${more} bookings`} came with it.`);
}

function whyNot({ code, message, details }: { code: string; message: string; details: string | null }): Refusal {
  switch (code) {
    case KEPT_NO_LONGER:
      return refused("It was deleted more than 30 days ago, and nothing of it is kept.");
    case THERE_ALREADY:
      return refused("It is back already.");
    case FOREIGN_KEY_VIOLATION:
      return refused("Its date was deleted too. Restore the date first, or choose another date for the booking.", "onto");
    case NOT_ENOUGH_PLACES:
      return refused(`Its date has ${Number(details) === 0 ? "no" : `only ${details}`} places left by now. Choose another date.`, "onto");
    case DATE_CANCELLED:
      return refused("Its date is cancelled by now. Choose another date.", "onto");
    case UNIQUE_VIOLATION:
      return refused("Another post has its address by now. Choose another address.", "address");
    default:
      return refused(`Failed to restore: ${message}`);
  }
}
