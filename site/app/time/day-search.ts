import { addDays, mondayOf, weekdayOf } from "./london-time.ts";

/** A search text split into the days it names and the other words. */
export interface DaySearch {
  /** The words that name no day. */
  words: string;
  /** The words that name days: one of them may also be the beginning of a name. */
  dayWords: string;
  /** True for a London date, as `2026-11-24`, that all day words name. */
  matches: (day: string) => boolean;
}

type Condition = (day: string) => boolean;
type Groups = Readonly<Record<string, string | undefined>>;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const MONTH = String.raw`(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`;
const WEEKDAY = String.raw`(?<weekday>mon(?:day)?|tue(?:s|sday)?|wed(?:s|nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)`;
const DAY = String.raw`(?<date>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?`;
const YEAR = String.raw`(?<year>20\d\d)`;

/** The forms of a day, the longer before those they contain. */
export const FORMS: readonly [RegExp, (groups: Groups, today: string) => Condition][] = [
  [
    form(String.raw`(?<iso>20\d\d-\d\d-\d\d)`),
    ({ iso }) =>
      (day) =>
        day === iso,
  ],
  [form(String.raw`${DAY}[/.](?<number>1[0-2]|0?[1-9])(?:[/.](?<year>(?:20)?\d\d))?`), fields],
  [form(String.raw`${DAY} ${MONTH}(?: ${YEAR})?`), fields],
  [form(String.raw`${MONTH} ${YEAR}`), fields],
  [form(String.raw`${WEEKDAY}(?: ${DAY})?`), fields],
  [form(MONTH), fields],
  [form("today"), (_groups, today) => range(today, today)],
  [form("tomorrow"), (_groups, today) => range(addDays(today, 1), addDays(today, 1))],
  [form("this week"), (_groups, today) => week(today)],
  [form("next week"), (_groups, today) => week(addDays(today, 7))],
];

/** Finds the days named in a search text: "efa tue", "24 nov", "24/11/2026", "tue 12", "tomorrow", "next week"; null if there are none. */
export function daySearch(text: string, today: string): DaySearch | null {
  let words = spaced(text.toLowerCase());
  const conditions: Condition[] = [];
  const named: string[] = [];
  for (const [pattern, condition] of FORMS) {
    for (let match = pattern.exec(words); match; match = pattern.exec(words)) {
      conditions.push(condition(match.groups ?? {}, today));
      named.push(match[0]);
      words = spaced(`${words.slice(0, match.index)} ${words.slice(match.index + match[0].length)}`);
    }
  }
  if (conditions.length === 0) return null;
  return { words, dayWords: named.join(" "), matches: (day) => conditions.every((condition) => condition(day)) };
}

function spaced(text: string): string {
  return text.replaceAll(/[\s,]+/g, " ").trim();
}

function form(source: string): RegExp {
  return new RegExp(String.raw`(?<!\S)${source}(?!\S)`);
}

/** Compares what the text names of a day: weekday, day, month and year. */
function fields({ weekday, date, month, number, year }: Groups): Condition {
  const wanted = {
    weekday: weekday === undefined ? null : WEEKDAYS.indexOf(weekday.slice(0, 3)),
    date: date === undefined ? null : Number(date),
    month: month === undefined ? (number === undefined ? null : Number(number)) : MONTHS.indexOf(month.slice(0, 3)) + 1,
    year: year === undefined ? null : Number(year) % 100,
  };
  return (day) =>
    (wanted.weekday ?? weekdayOf(day)) === weekdayOf(day) &&
    (wanted.date ?? Number(day.slice(8))) === Number(day.slice(8)) &&
    (wanted.month ?? Number(day.slice(5, 7))) === Number(day.slice(5, 7)) &&
    (wanted.year ?? Number(day.slice(2, 4))) === Number(day.slice(2, 4));
}

function range(first: string, last: string): Condition {
  return (day) => day >= first && day <= last;
}

/** The week of a day, from Monday to Sunday. */
function week(day: string): Condition {
  const monday = mondayOf(day);
  return range(monday, addDays(monday, 6));
}
