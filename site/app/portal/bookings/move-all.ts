import * as SQLSTATE from "backend/sqlstates.ts";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
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
  if (error?.code === SQLSTATE.conflict) return refused("That date has too few places left for all of them. Nothing was moved.", "target");
  if (error?.code === SQLSTATE.gone) return refused("That date is cancelled. Nothing was moved.", "target");
  if (error?.code === SQLSTATE.foreignKeyViolation) return { ...refused("That date was deleted. Choose another.", "target"), stale: true };
  if (error) return refused(`Failed to move booking: ${error.message}`);
  return data.length === 0 ? refused("There was no active booking to move.") : done(`${counted(data.length, "booking")} moved.`);
}
