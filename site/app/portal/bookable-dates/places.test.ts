import { expect, test } from "vitest";
import { choiceInWords, placesInWords, placesOpen } from "./places.ts";
import type { BookableDate } from "./bookable-date.ts";

const BEFORE = Date.parse("2029-12-01T12:00:00Z");
const DURING = Date.parse("2030-01-08T12:00:00Z");
const AFTER = Date.parse("2030-01-10T12:00:00Z");

const date: BookableDate = {
  id: "d1",
  course_name: "Lvl 2 CCTV",
  course_date: "2030-01-07T09:00:00Z",
  end_date: "2030-01-09",
  capacity: 12,
  places_left: 3,
  status: "open",
  waiting_list: [],
};

test.each<[status: string, places_left: number, now: number, short: string, long: string, open: number]>([
  ["open", 3, BEFORE, "3 left", "3 of 12 places left", 3],
  ["confirmed", 1, BEFORE, "1 left", "1 of 12 places left", 1],
  ["open", 0, BEFORE, "full", "Full: all 12 places are taken", 0],
  ["full", 0, BEFORE, "full", "Full: all 12 places are taken", 0],
  ["full", 3, BEFORE, "set to full, 3 left", "Set to full: 3 of 12 places left", 3],
  ["postponed", 3, BEFORE, "postponed, 3 left", "Postponed: 3 of 12 places left", 3],
  ["postponed", 0, AFTER, "postponed, full", "Postponed: 0 of 12 places left", 0],
  ["cancelled", 3, BEFORE, "cancelled", "Cancelled: this date takes no bookings", 0],
  ["cancelled", 3, AFTER, "cancelled", "Cancelled: this date takes no bookings", 0],
  ["open", 3, DURING, "running, 9 booked", "Running: 9 of 12 places are taken", 3],
  ["confirmed", 3, AFTER, "past, 9 booked", "Past: 9 of 12 places were taken", 3],
])("a date that is set to %s with %i left is described with its status", (status, places_left, now, short, long, open) => {
  const changed = { ...date, status, places_left };
  expect(choiceInWords(changed, now)).toBe(`Lvl 2 CCTV, Mon 7 Jan 2030, 09:00: ${short}`);
  expect(placesInWords(changed, now)).toBe(long);
  expect(placesOpen(changed)).toBe(open);
});

test("a date with a single place that is taken is described in the singular", () => {
  expect(placesInWords({ ...date, capacity: 1, places_left: 0 }, BEFORE)).toBe("Full: the only place is taken");
});

test("the choice of a date shows how many people wait for it until the date is past", () => {
  const waited = { ...date, places_left: 0, waiting_list: [{ id: "w1" }, { id: "w2" }] };
  expect(choiceInWords(waited, BEFORE)).toBe("Lvl 2 CCTV, Mon 7 Jan 2030, 09:00: full, 2 waiting");
  expect(choiceInWords(waited, AFTER)).toBe("Lvl 2 CCTV, Mon 7 Jan 2030, 09:00: past, 12 booked");
});

test("a single free place is described in the singular", () => {
  expect(placesInWords({ ...date, capacity: 1, places_left: 1 }, BEFORE)).toBe("1 of 1 place left");
});
