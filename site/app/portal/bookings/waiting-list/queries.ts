import type { BrowserSupabase } from "../../../supabase/supabase.client.ts";
import { dateInWords } from "../../bookable-dates/bookable-date.ts";
import { done, type Outcome } from "../../frame/outcome.ts";
import { deletionOutcome } from "../../records/deletion.ts";
import { saveRecord, type RecordEdit } from "../../records/save-record.ts";
import { alsoCompared, waitingFields, type WaitingValues } from "../fields.ts";
import { checkWaiting, failed, removedMeanwhile } from "./add-waiting.ts";
import { WITH_DATE, type WaitingEntry } from "./waiting-list.ts";

/** Saves the changed fields of an entry; another date moves it to the end of that waiting list. */
export async function saveWaiting(supabase: BrowserSupabase, edit: RecordEdit<WaitingEntry>, form: FormData): Promise<Outcome> {
  const checked = checkWaiting(form);
  if (!checked.ok) return checked;
  return saveRecord<WaitingValues, WaitingEntry>(supabase, edit, checked.value, {
    table: "waiting_list",
    columns: WITH_DATE,
    noun: "entry",
    fields: waitingFields,
    alsoCompared,
    show: (field, row) => (field === "course_id" ? dateInWords(row.course_dates) : undefined),
    saved: `Entry of ${checked.value.name} saved.`,
    failed: (error) => failed("save the entry", error),
  });
}

/** Marks an entry as called about a place, or as not called; `now` in milliseconds. */
export async function setCalled(supabase: BrowserSupabase, { id, name }: WaitingEntry, called: boolean, now: number): Promise<Outcome> {
  const { data, error } = await supabase
    .from("waiting_list")
    .update({ called_at: called ? new Date(now).toISOString() : null })
    .eq("id", id)
    .select("id");
  if (error) return failed("save the entry", error);
  if (data.length === 0) return removedMeanwhile();
  return done(called ? `${name} was called.` : `${name} was not called yet.`);
}

/** Swaps an entry with its neighbour in the order. */
export async function moveWaiting(supabase: BrowserSupabase, { id, name }: WaitingEntry, up: boolean): Promise<Outcome> {
  const { error } = await supabase.rpc("move_waiting", { entry: id, up });
  return error ? failed("move the entry", error) : done(`${name} moved ${up ? "up" : "down"}.`);
}

/** Turns an entry into a booking. */
export async function bookWaiting(supabase: BrowserSupabase, { id, name }: WaitingEntry): Promise<Outcome> {
  const { error } = await supabase.rpc("book_waiting", { entry: id });
  return error ? failed("book the entry", error) : done(`Booking added for ${name}, and the entry was removed from the waiting list.`);
}

/** Removes an entry. */
export async function withdrawWaiting(supabase: BrowserSupabase, { id, name }: WaitingEntry): Promise<Outcome> {
  const deletion = await supabase.from("waiting_list").delete().eq("id", id).select("id");
  return deletionOutcome(deletion, "entry", `${name} was removed from the waiting list.`);
}
