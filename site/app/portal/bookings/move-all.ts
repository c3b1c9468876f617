import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { DATE_CANCELLED, FOREIGN_KEY_VIOLATION, NOT_ENOUGH_PLACES } from "../../supabase/sqlstates.ts";
import { counted } from "../frame/counted.ts";
import { done, refused, type Outcome } from "../frame/outcome.ts";

/** Moves every active booking of a course date to another one, all of them or none. */
export async function moveAll(supabase: BrowserSupabase, from: string, to: string): Promise<Outcome> {
  if (to === "") return refused("Choose the date to move to.", "target");
  const { data, error } = await supabase
    .from("bookings")
    .update({ course_id: to })
    .eq("course_id", from)
    .eq("status", "active")
    .select("id");
  if (error?.code === NOT_ENOUGH_PLACES) return refused("That date has too few places left for all of them. Nothing was moved.", "target");
  if (error?.code === DATE_CANCELLED) return refused("That date is cancelled. Nothing was moved.", "target");
  if (error?.code === FOREIGN_KEY_VIOLATION) return { ...refused("That date was deleted. Choose another.", "target"), stale: true };
  if (error) return refused(`Failed to move booking: ${error.message}`);
  return data.length === 0 ? refused("There was no active booking to move.") : done(`${counted(data.length, "booking")} moved.`);
}
