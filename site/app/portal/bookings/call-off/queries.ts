import * as SQLSTATE from "backend/sqlstates.ts";
import type { BrowserSupabase } from "../../../supabase/supabase.client.ts";
import { dateInWords, type BookableDate } from "../../bookable-dates/bookable-date.ts";
import { counted } from "../../frame/counted.ts";
import { done, refused, type Outcome, type Refusal } from "../../frame/outcome.ts";

/** The former status and the ids of the moved bookings, for the undo. */
interface CalledOff {
  status: string;
  moved: readonly string[];
}

/** Calls a course date off, after moving its active bookings to another date if one is given; the undo reverses both. */
export async function callOff(supabase: BrowserSupabase, date: BookableDate, target: BookableDate | undefined): Promise<Outcome> {
  const to = target === undefined ? {} : { move_to: target.id };
  const { data, error } = await supabase.rpc("call_off_date", { date_id: date.id, ...to });
  if (error) return refusalOf(error);
  if (!isCalledOff(data)) throw new Error("call_off_date returned no status");
  const { status, moved } = data;
  const moves = target === undefined ? "" : ` ${counted(moved.length, "booking")} moved to ${dateInWords(target)}.`;
  return {
    ...done(`${dateInWords(date)} is called off.${moves}`),
    async undo() {
      const moved_to = target === undefined ? {} : { moved_to: target.id };
      const back = await supabase.rpc("undo_call_off", { date_id: date.id, former_status: status, moved: [...moved], ...moved_to });
      if (back.error) return refusalOf(back.error);
      return done(`${dateInWords(date)} takes place.${back.data === 0 ? "" : ` ${counted(back.data, "booking")} moved back.`}`);
    },
  };
}

function isCalledOff(json: unknown): json is CalledOff {
  return typeof json === "object" && json !== null && "status" in json && "moved" in json;
}

function refusalOf({ code, message }: { code: string; message: string }): Refusal {
  switch (code) {
    case SQLSTATE.conflict:
      return { ...refused("That date has too few places left for all of them. Nothing was changed.", "target"), stale: true };
    case SQLSTATE.invalidParameterValue:
      return {
        ...refused("That date was deleted, or is of another course now. Nothing was changed. Choose another.", "target"),
        stale: true,
      };
    case SQLSTATE.gone:
      return { ...refused("That date is cancelled. Nothing was changed.", "target"), stale: true };
    case SQLSTATE.notFound:
      return refused("This date does not exist any more.");
    case SQLSTATE.preconditionFailed:
      return refused("Somebody else changed the status of this date. Nothing was changed.");
    default:
      return refused(`Failed to call off course date: ${message}`);
  }
}
