import { expect, test } from "vitest";
import { parseForm } from "../forms/fields.ts";
import { courseDateFields } from "./fields.ts";
import { COPIED, repeatedDates } from "./repeat.ts";
import { dayMarks, daysByRule, repeatRules } from "./repeat-days.ts";

function filledIn(entries: [string, string][]): FormData {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return form;
}

// Monday 18 October 2027 at nine, in the last full week of summer time.
const parsed = parseForm(
  courseDateFields,
  filledIn([
    ["course_name", "Lvl 2 CCTV"],
    ["course_date", "2027-10-18T09:00"],
    ["end_date", "2027-10-20"],
    ["capacity", "8"],
    ["description", "Bring a coat."],
    ["status", "full"],
  ]),
);
if (!parsed.ok) throw new Error(parsed.message);
const row = parsed.value;

test("the form names the facts that are copied", () => {
  expect(COPIED).toMatch(/^time, length, .*trainer.* and /);
});

test("the dates keep the hour when the clocks change, keep the length, and are open", () => {
  const days = daysByRule("2027-10-18", "1", "3") ?? [];
  const result = repeatedDates(row, filledIn([["how", "1"], ["times", "3"], ...days.map((day): [string, string] => ["day-1", day])]));
  expect(result.ok && result.value.map(({ course_date, end_date }) => [course_date, end_date])).toEqual([
    ["2027-10-25T08:00:00.000Z", "2027-10-27"],
    ["2027-11-01T09:00:00.000Z", "2027-11-03"],
    ["2027-11-08T09:00:00.000Z", "2027-11-10"],
  ]);
  expect(result).toMatchObject({
    value: [{ course_name: "Lvl 2 CCTV", capacity: 8, description: "Bring a coat.", status: "open" }, {}, {}],
  });
});

test("chosen days are sorted, without duplicates and empty ones", () => {
  const days: [string, string][] = ["2028-02-29", "", "2027-12-01", "2028-02-29"].map((day) => ["day-1", day]);
  const result = repeatedDates({ ...row, end_date: null }, filledIn([["how", "days"], ...days]));
  expect(result.ok && result.value.map(({ course_date, end_date }) => [course_date, end_date])).toEqual([
    ["2027-12-01T09:00:00.000Z", null],
    ["2028-02-29T09:00:00.000Z", null],
  ]);
});

test.each<[[string, string][], string]>([
  [
    [
      ["how", "1"],
      ["times", ""],
    ],
    "times",
  ],
  [
    [
      ["how", "1"],
      ["times", "0"],
    ],
    "times",
  ],
  [
    [
      ["how", "1"],
      ["times", "1.5"],
    ],
    "times",
  ],
  [
    [
      ["how", "1"],
      ["times", "53"],
    ],
    "times",
  ],
  [
    [
      ["how", "days"],
      ["day-1", ""],
    ],
    "day-1",
  ],
  [
    [
      ["how", "days"],
      ["day-1", "2027-02-30"],
    ],
    "day-1",
  ],
])("refuses %j, naming %s", (entries, field) => {
  expect(repeatedDates(row, filledIn(entries))).toMatchObject({ ok: false, field });
});

test("an hour that the clocks skip is refused on that day only", () => {
  const early = { ...row, course_date: "2027-01-04T01:30:00+00:00", end_date: null };
  expect(
    repeatedDates(
      early,
      filledIn([
        ["how", "days"],
        ["day-1", "2027-03-28"],
      ]),
    ),
  ).toMatchObject({ ok: false, field: "day-1" });
});

test.each([
  ["2027-10-18", "2", ["2027-11-01", "2027-11-15", "2027-11-29"]],
  ["2027-10-18", "4", ["2027-11-15", "2027-12-13", "2028-01-10"]],
  // The third Monday.
  ["2027-10-18", "month", ["2027-11-15", "2027-12-20", "2028-01-17"]],
  // The fifth Friday: of other months the last one.
  ["2027-10-29", "month", ["2027-11-26", "2027-12-31", "2028-01-28"]],
])("from %s by the rule %s the next days are %j", (firstDay, rule, days) => {
  expect(daysByRule(firstDay, rule, "3")).toEqual(days);
});

test("the rule of a month names the weekday, and unusual days are marked", () => {
  expect(repeatRules("2027-10-18")["month"]).toBe("Every month, on the third Monday");
  expect(repeatRules("2027-10-29")["month"]).toBe("Every month, on the last Friday");
  expect(dayMarks("2028-04-14", "2027-01-01")).toEqual(["Good Friday"]);
  expect(dayMarks("2027-10-23", "2027-10-24")).toEqual(["weekend", "past"]);
  expect(dayMarks("2027-10-25", "2027-10-24")).toEqual([]);
  expect(dayMarks("2026-12-29", "2026-11-24")).toEqual(["Office closed"]);
});
