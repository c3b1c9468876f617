import * as SQLSTATE from "backend/sqlstates.ts";
import { href } from "react-router";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { counted } from "../frame/counted.ts";
import { done, refused, type Outcome, type Refusal } from "../frame/outcome.ts";

/** The tables whose deleted rows can be restored. */
export type UndoKind = "course_dates" | "blog_posts" | "bookings";

/** Another course date for a restored booking, or another address for a restored post. */
export interface Instead {
  onto?: string;
  address?: string;
}

/** True for a table whose deleted rows can be restored. */
export function isUndoKind(kind: string): kind is UndoKind {
  return Object.hasOwn(RESTORED, kind);
}

const RESTORED = { course_dates: "Course restored.", blog_posts: "Blog post restored.", bookings: "Booking restored." };

/** Restores a record that was deleted in the last 30 days; a refusal names the field of `Instead` that would help. */
export async function undoDelete(supabase: BrowserSupabase, kind: UndoKind, id: string, instead: Instead = {}): Promise<Outcome> {
  const { data, error } = await supabase.rpc("undo_delete", { kind, record_id: id, ...instead });
  if (error) return { ...undoRefusal(error), next: { to: `${href("/admin/changes")}?record=${id}`, label: "Show what was deleted" } };
  const more = data - 1;
  return done(more === 0 ? RESTORED[kind] : `${RESTORED[kind]} ${counted(more, "booking was", "bookings were")} restored with it.`);
}

function undoRefusal({ code, message, details }: { code: string; message: string; details: string | null }): Refusal {
  switch (code) {
    case SQLSTATE.notFound:
      return refused("It was deleted more than 30 days ago and cannot be restored.");
    case SQLSTATE.preconditionFailed:
      return refused("It was already restored.");
    case SQLSTATE.foreignKeyViolation:
      return refused("Its date was deleted too. Restore the date first, or choose another date for the booking.", "onto");
    case SQLSTATE.conflict:
      return refused(
        `Its date has ${Number(details) === 0 ? "no places" : `only ${counted(Number(details), "place")}`} left. Choose another date.`,
        "onto",
      );
    case SQLSTATE.gone:
      return refused("Its date is cancelled. Choose another date.", "onto");
    case SQLSTATE.uniqueViolation:
      return refused("Another post has its address. Choose another address.", "address");
    default:
      return refused(`Failed to restore: ${message}`);
  }
}
