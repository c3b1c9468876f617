import { expect, test } from "vitest";
import { recordInWords, restorable, valueInWords, type Change } from "./change.ts";
import { edgeOfDay } from "./queries.ts";

const ID = "0d1f5f0e-7a55-4b7c-9f0a-3f2f3c1c9a01";
const change: Change = {
  id: "7",
  at: "2026-11-20T09:00:00+00:00",
  kind: "bookings",
  record_id: ID,
  act: "update",
  actor: "staff",
  actor_email: "jo@site.example",
  columns: ["course_id"],
  about: { name: "Ada", course_name: "Lvl 2 CCTV", course_date: "2030-07-01T08:00:00+00:00" },
  before: { course_id: "d1" },
  after: { course_id: "d2" },
  names: new Map(),
};

test.each(["", "2026-02-30", "soon"])("the invalid day %j has neither a beginning nor an end", (day) => {
  expect([edgeOfDay(day, "begin"), edgeOfDay(day, "end")]).toEqual([null, null]);
});

test.each<[string, Partial<Change>, boolean]>([
  ["a deletion of yesterday", {}, true],
  ["an update", { act: "update" }, false],
  ["a deletion 30 days ago", { at: "2026-10-22T09:00:00+00:00" }, false],
  ["a deletion without stored values", { before: null }, false],
])("%s can be restored only within 30 days of a deletion", (_what, part, expected) => {
  const deletion: Change = { ...change, act: "delete", before: { name: "Ada" }, ...part };
  expect(restorable(deletion, [deletion], Date.parse("2026-11-21T09:00:00Z"))).toBe(expected);
});

test("a record that was restored later cannot be restored again", () => {
  const deletion: Change = { ...change, act: "delete" };
  const since: Change = { ...change, id: "8", act: "restore", at: "2026-11-20T10:00:00+00:00" };
  expect(restorable(deletion, [since, deletion], Date.parse("2026-11-21T09:00:00Z"))).toBe(false);
});

test("a record has the name from the time of the change", () => {
  expect(recordInWords(change)).toBe("Ada, Lvl 2 CCTV, 1 Jul 2030, 09:00");
  expect(recordInWords({ about: { title: "" } })).toBe("without a title");
  expect(recordInWords({ about: null })).toBe("");
});

test.each([
  ["payment_method", "bank_transfer", "Bank transfer"],
  ["status", "called", "Called"],
  ["enquiry_id", ID, "an enquiry"],
  ["trainer_id", ID, "a removed account"],
  ["note", "new", "new"],
  ["end_date", "2030-07-04", "4 July 2030"],
  ["places", 3, "3"],
  ["company", null, ""],
])("the value of %s %j is shown as %j", (column, value, shown) => {
  expect(valueInWords(column, value, new Map())).toBe(shown);
});
