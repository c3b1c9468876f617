import * as SQLSTATE from "backend/sqlstates.ts";
import type { BrowserSupabase } from "../../../supabase/supabase.client.ts";
import { parseForm } from "../../forms/fields.ts";
import { counted } from "../../frame/counted.ts";
import { done, refused, type Checked, type Outcome, type Refusal } from "../../frame/outcome.ts";
import { insertOnce } from "../../records/insert-once.ts";
import type { ServiceError } from "../../records/save-record.ts";
import { waitingFields, type WaitingValues } from "../fields.ts";

/** Adds the entry of a form at the end of the waiting list of its date. */
export async function addWaiting(supabase: BrowserSupabase, form: FormData): Promise<Outcome> {
  const checked = checkWaiting(form);
  if (!checked.ok) return checked;
  const { error } = await insertOnce(supabase, "waiting_list", form, [checked.value]);
  return error ? failed("add to the waiting list", error) : done(`${checked.value.name} is on the waiting list.`);
}

/** Validates the form of an entry: it needs a phone number or an e-mail address. */
export function checkWaiting(form: FormData): Checked<WaitingValues> {
  const checked = parseForm(waitingFields, form);
  if (checked.ok && checked.value.email === null && checked.value.phone === null)
    return refused("Enter a phone number or an e-mail address, so that you can reach them.", "phone");
  return checked;
}

/** The refusal of a write to a waiting list; `verb` names the action in the message. */
export function failed(verb: string, error: ServiceError): Refusal {
  switch (error.code) {
    case SQLSTATE.notFound:
      return removedMeanwhile();
    case SQLSTATE.conflict:
      return refused(`Only ${counted(Number(error.details), "place is", "places are")} left on this date, fewer than they want.`);
    case SQLSTATE.gone:
      return refused("That date is cancelled. Choose another.", "course_id");
    case SQLSTATE.uniqueViolation:
      return refused("Somebody with this e-mail address or phone number is already on the list of this date.", "phone");
    case SQLSTATE.foreignKeyViolation:
      return refused("That date was deleted. Choose another.", "course_id");
    default:
      return refused(`Failed to ${verb}: ${error.message}`);
  }
}

/** The refusal because the entry was removed meanwhile. */
export function removedMeanwhile(): Refusal {
  return refused("This entry is not on the waiting list any more: somebody else booked, moved or removed it.");
}
