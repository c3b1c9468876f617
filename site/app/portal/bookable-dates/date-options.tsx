import type { BookableDate } from "./bookable-date.ts";
import { choiceInWords, placesOpen } from "./places.ts";

interface DateOptionsProps {
  dates: readonly BookableDate[];
  /** A date that can be chosen without a free place. */
  except?: string | undefined;
  /** True if a full date can be chosen, for its waiting list. */
  withFull?: boolean;
}

/** The options of a select of course dates, after an empty one; those without a free place cannot be chosen. */
export function DateOptions({ dates, except, withFull = false }: DateOptionsProps) {
  return (
    <>
      <option value="">Choose a date…</option>
      {dates.map((date) => (
        <option
          key={date.id}
          value={date.id}
          disabled={placesOpen(date) === 0 && date.id !== except && !(withFull && date.status !== "cancelled")}
        >
          {choiceInWords(date)}
        </option>
      ))}
    </>
  );
}
