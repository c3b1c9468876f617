import { expect, test } from "vitest";
import { parseForm } from "../forms/fields.ts";
import { courseDateFields } from "./fields.ts";
import { repeatedDates } from "./repeat.ts";

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

test("weekly dates keep the hour when the clocks change, keep the length, and are open", () => {
  const result = repeatedDates(
    row,
    filledIn([
      ["how", "weekly"],
      ["times", "3"],
    ]),
  );
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
      ["how", "weekly"],
      ["times", ""],
    ],
    "times",
  ],
  [
    [
      ["how", "weekly"],
      ["times", "0"],
    ],
    "times",
  ],
  [
    [
      ["how", "weekly"],
      ["times", "1.5"],
    ],
    "times",
  ],
  [
    [
      ["how", "weekly"],
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
