import { expect, test } from "vitest";
import { csvOf } from "../lists/csv.ts";
import { narrow, type Narrowed } from "../lists/list-filter.ts";
import { courseDateColumns, courseDateFilter } from "./course-date-filter.ts";
import type { CourseDate } from "./schema.ts";

const coming: CourseDate = {
  id: "d1",
  course_name: "Lvl 2 CCTV",
  course_date: "2130-07-01T08:00:00+00:00",
  end_date: "2130-07-03",
  capacity: 12,
  places_taken: 5,
  places_left: 7,
  description: "Bring a coat",
  status: "confirmed",
  created_at: "2029-12-01T09:00:00+00:00",
  updated_at: "2029-12-02T09:00:00+00:00",
};
const past: CourseDate = {
  ...coming,
  id: "d2",
  course_date: "2020-07-01T08:00:00+00:00",
  end_date: null,
  status: "open",
  description: null,
};

test.each<[Narrowed, string[]]>([
  [{}, ["d1", "d2"]],
  [{ when: "coming" }, ["d1"]],
  [{ when: "past" }, ["d2"]],
  [{ words: "cctv july 2130" }, ["d1"]],
  [{ words: "CONFIRMED coat" }, ["d1"]],
  [{ words: "past" }, ["d2"]],
])("the filter %j leaves %j", (narrowed, ids) => {
  expect(narrow([coming, past], courseDateFilter, narrowed).map(({ id }) => id)).toEqual(ids);
});

test("every field of a date has a column", () => {
  const written = csvOf(courseDateColumns, [coming])
    .trim()
    .split(/[\r\n,]+/);
  expect(written).toEqual(expect.arrayContaining(Object.values(coming).map(String)));
});
