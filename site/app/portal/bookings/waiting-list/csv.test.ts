import { expect, test } from "vitest";
import { csvOf } from "../../lists/csv.ts";
import { waitingColumns } from "./csv.ts";
import type { WaitingEntry } from "./waiting-list.ts";

const entry: WaitingEntry = {
  id: "w1",
  course_id: "d1",
  course_dates: { course_name: "Lvl 2 CCTV", course_date: "2030-01-07T09:00:00+00:00" },
  name: "Ada",
  email: "ada@mail.example",
  phone: "07700 900 123",
  places: 2,
  note: "Mornings",
  position: 7,
  called_at: "2029-12-03T09:00:00+00:00",
  created_at: "2029-12-01T09:00:00+00:00",
  updated_at: "2029-12-02T09:00:00+00:00",
  updated_by: "u1",
};

test("every field of an entry has a column", () => {
  const { course_dates, ...own } = entry;
  const [, line] = csvOf(waitingColumns, [entry]).trim().split("\r\n");
  const held = [...Object.values(own), ...Object.values(course_dates)].map(String);
  expect(line?.split(",").toSorted()).toEqual(held.toSorted());
});
