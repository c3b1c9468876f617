import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { done, refused, type Outcome } from "../frame/outcome.ts";
import { deletionOutcome } from "../records/deletion.ts";
import { failed } from "./queries.ts";

const STORED = "id, updated_at, status";

/** Cancels a booking, which frees its places and keeps the record. */
export async function cancelBooking(supabase: BrowserSupabase, id: string): Promise<Outcome> {
  const { data, error } = await supabase
    .from("bookings")
    .update({ status: "cancelled" })
    .eq("id", id)
    .eq("status", "active")
    .select(STORED);
  if (error) return failed("cancel", error);
  return data.length === 0
    ? refused("Failed to cancel booking: it does not exist any more, or is already cancelled.")
    : { ...done("Booking cancelled."), stored: data, undo: () => undoCancel(supabase, id) };
}

async function undoCancel(supabase: BrowserSupabase, id: string): Promise<Outcome> {
  const { data, error } = await supabase
    .from("bookings")
    .update({ status: "active" })
    .eq("id", id)
    .eq("status", "cancelled")
    .select(STORED);
  if (error) return failed("restore", error);
  return data.length === 0
    ? refused("Somebody else changed or deleted this booking. Nothing was changed.")
    : { ...done("The booking is active again."), stored: data };
}

/** Deletes a booking. */
export async function deleteBooking(supabase: BrowserSupabase, id: string): Promise<Outcome> {
  const deletion = await supabase.from("bookings").delete().eq("id", id).select("id");
  return deletionOutcome(deletion, "booking", "Booking deleted.", { supabase, kind: "bookings", id });
}
