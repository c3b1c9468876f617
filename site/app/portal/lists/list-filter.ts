import { nationalNumber } from "content/national-number.ts";
import { daySearch } from "../../time/day-search.ts";
import { londonToday } from "../../time/london-time.ts";

/** The search and the filters of a list. */
export interface ListFilter<Row> {
  /** Examples for the search field, short enough for a narrow one. */
  hint: string;
  text: (row: Row) => string;
  /** A phone number, which is found in any form. */
  digits?: (row: Row) => string;
  /** The instant that a search for a day compares, as ISO text. */
  instant?: (row: Row) => string;
  choices?: readonly FilterChoice<Row>[];
  /** The initial filter of a list with more rows than are shown at once. */
  first?: Narrowed;
}

/** A filter by one value. */
interface FilterChoice<Row> {
  name: string;
  label: string;
  /** The label of each value. */
  labels: Readonly<Record<string, string>>;
  of: (row: Row) => string;
}

/** The search text as `words` and the chosen value of each filter by its name; empty or missing if not chosen. */
export type Narrowed = Readonly<Record<string, string>>;

/** Returns the rows that contain every word, or the number, or are on the day, and have the chosen values. */
export function narrow<Row>(rows: readonly Row[], filter: ListFilter<Row>, narrowed: Narrowed, now = Date.now()): readonly Row[] {
  const { text, digits, instant, choices = [] } = filter;
  const chosen = choices.filter(({ name }) => (narrowed[name] ?? "") !== "");
  const words = searched((narrowed["words"] ?? "").trim());
  const number = words.replaceAll(/[\s().+-]/g, "");
  if (words === "" && chosen.length === 0) return rows;

  const isNumber = /^\d+$/.test(number);
  const hasNumber = (row: Row): boolean => {
    const stored = digits && isNumber ? nationalNumber(digits(row)) : "";
    // The digits may also be the last ones.
    return stored !== "" && (stored.includes(number) || stored.startsWith(nationalNumber(number)));
  };
  const days = instant && daySearch(words, londonToday(now));
  const hasDay = (row: Row): boolean => {
    if (!days) return false;
    const all = searched(text(row));
    if (!contains(all, days.words)) return false;
    // A name can begin as a weekday or a month does: Monica, April.
    const names = all.split(/[^\p{L}\p{N}]+/u);
    const isNamed = days.dayWords.split(" ").every((part) => names.some((name) => name.startsWith(part)));
    return isNamed || days.matches(londonToday(Date.parse(instant(row))));
  };
  const matches = (row: Row): boolean => words === "" || hasNumber(row) || (days ? hasDay(row) : contains(searched(text(row)), words));
  return rows.filter((row) => chosen.every(({ name, of }) => of(row) === narrowed[name]) && matches(row));
}

function contains(text: string, words: string): boolean {
  return words.split(/\s+/).every((part) => text.includes(part));
}

/** Lower case and without apostrophes, so that "oneill" finds O'Neill. */
function searched(text: string): string {
  return text.toLowerCase().replaceAll(/['’‘`]/g, "");
}
