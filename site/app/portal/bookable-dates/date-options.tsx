import type { BookableDate } from "./bookable-date.ts";
import { choiceInWords, placesOpen } from "./places.ts";

interface DateOptionsProps {
  dates: readonly BookableDate[];
  /** A date that can be chosen without a free place. */
  except?: string | undefined;
}

/** The options of a select of course dates with a free place, after an empty one. */
export function DateOptions({ dates, except }: DateOptionsProps) {
  return (
    <>
      <option value="">Choose a date…</option>
      {dates.map((date) => (
        <option key={date.id} value={date.id} disabled={placesOpen(date) === 0 && date.id !== except}>
          {choiceInWords(date)}
        </option>
      ))}
    </>
  );
}
