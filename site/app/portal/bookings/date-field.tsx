import { useState } from "react";
import { SelectField, TextField } from "../../ui/field.tsx";
import type { BookableDate } from "../bookable-dates/bookable-date.ts";
import { DateOptions } from "../bookable-dates/date-options.tsx";
import { choiceInWords, placesInWords, placesOpen } from "../bookable-dates/places.ts";
import type { FormState } from "../forms/portal-form.tsx";
import { counted } from "../frame/counted.ts";
import { courseWords } from "../lists/course-words.ts";
import { narrow, type ListFilter } from "../lists/list-filter.ts";
import { bookingFields, type Booking } from "./fields.ts";

const SEARCH: ListFilter<BookableDate> = {
  hint: "Course or day",
  text: ({ course_name }) => courseWords(course_name),
  instant: ({ course_date }) => course_date,
};

interface DateFieldProps extends FormState {
  dates: readonly BookableDate[];
  /** False while `dates` has at most the date of the booking. */
  isLoaded: boolean;
  booking: Booking | undefined;
}

/** The choice of the course date, with its places left, and a field that finds it by a few letters. */
export function DateField({ dates, isLoaded, booking, value, field }: DateFieldProps) {
  const [chosen, setChosen] = useState(value["course_id"] ?? "");
  const [words, setWords] = useState("");
  const [wasLoaded, setWasLoaded] = useState(false);
  const found = narrow(dates, SEARCH, { words });
  const date = dates.find(({ id }) => id === chosen);

  /** Chooses the only date that fits, or the only one with places left; clears a choice that does not fit. */
  function find(text: string): void {
    setWords(text);
    const fitting = narrow(dates, SEARCH, { words: text });
    const free = fitting.filter((match) => placesOpen(match) > 0);
    const [only, ...others] = free.length > 0 ? free : fitting;
    if (only && others.length === 0) setChosen(only.id);
    else if (!fitting.some(({ id }) => id === chosen)) setChosen("");
  }

  if (wasLoaded !== isLoaded) {
    setWasLoaded(isLoaded);
    // A fast typist finishes before the dates are loaded.
    if (words.trim() !== "" && chosen === "") find(words);
  }

  return (
    <>
      <TextField
        id="find_date"
        label="Find a date"
        standalone
        hint={<span role="status">{isLoaded || words === "" ? foundInWords(words, found) : "No dates are loaded yet."}</span>}
        autoComplete="off"
        value={words}
        onChange={(event) => find(event.currentTarget.value)}
        // Enter would submit the form before the rest is filled in.
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          event.currentTarget.form?.querySelector<HTMLElement>("[name=course_id]")?.focus();
        }}
      />
      <SelectField
        id="course_id"
        name="course_id"
        label={bookingFields.course_id.label}
        hint={
          <strong className={date && placesOpen(date) === 0 ? "problem" : undefined}>
            {date ? placesInWords(date) : "Places left are shown here."}
          </strong>
        }
        required
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
        error={field("course_id").error}
      >
        <DateOptions dates={date && !found.includes(date) ? [date, ...found] : found} except={booking?.course_id} withFull={!booking} />
      </SelectField>
    </>
  );
}

function foundInWords(words: string, found: readonly BookableDate[]): string {
  const [only, ...others] = found;
  if (words.trim() === "") return "For example: efa 4 dec";
  if (!only) return "No date fits.";
  return others.length === 0 ? choiceInWords(only) : `${counted(found.length, "date fits", "dates fit")}.`;
}
