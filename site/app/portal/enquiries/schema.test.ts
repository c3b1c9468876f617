import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  checkEnquiry,
  checkHandling,
  isOpen,
  LONGEST_MESSAGE,
  LONGEST_NAME,
  LONGEST_NOTE,
  LONGEST_REPLY,
  SHORTEST_REPLY,
  STATUSES,
} from "./schema.ts";

const asks = { name: " Ada ", reply_to: "07700 900 123", course_name: "Lvl 2 CCTV", message: "When?" };

function formOf(values: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}

test("an enquiry is taken down with or without a course", () => {
  expect(checkEnquiry(formOf(asks))).toEqual({ ok: true, value: { ...asks, name: "Ada" } });
  expect(checkEnquiry(formOf({ ...asks, course_name: "" }))).toMatchObject({ ok: true, value: { course_name: null } });
});

test.each([
  ["name", " "],
  ["name", "a".repeat(LONGEST_NAME + 1)],
  ["reply_to", ""],
  ["reply_to", "her sister"],
  ["reply_to", "1234"],
  ["reply_to", `${"a".repeat(LONGEST_REPLY)}@mail.example`],
  ["course_name", "Basket Weaving"],
  ["message", " "],
  ["message", "a".repeat(LONGEST_MESSAGE + 1)],
])("an enquiry with a wrong %s is refused at its field", (field, value) => {
  expect(checkEnquiry(formOf({ ...asks, [field]: value }))).toMatchObject({ ok: false, field });
});

test("what the office writes is a status and a note, an empty one as null", () => {
  expect(checkHandling(formOf({ status: "called", note: " " }))).toEqual({ ok: true, value: { status: "called", note: null } });
  expect(checkHandling(formOf({ status: "maybe", note: "" }))).toMatchObject({ ok: false, field: "status" });
  expect(checkHandling(formOf({ status: "new", note: "a".repeat(LONGEST_NOTE + 1) }))).toMatchObject({ ok: false, field: "note" });
});

test("new and called ones are open", () => {
  expect(Object.keys(STATUSES).filter((status) => isOpen({ status }))).toEqual(["new", "called"]);
});

test.each([
  ["20261101090500_enquiries", `char_length(btrim(name)) between 1 and ${LONGEST_NAME}`],
  ["20261101090500_enquiries", `char_length(btrim(reply_to)) between ${SHORTEST_REPLY} and ${LONGEST_REPLY}`],
  ["20261101090500_enquiries", `char_length(btrim(message)) between 1 and ${LONGEST_MESSAGE}`],
  ["20261121120100_enquiry_status", `char_length(note) <= ${LONGEST_NOTE}`],
  [
    "20261121120100_enquiry_status",
    `status in (${Object.keys(STATUSES)
      .map((status) => `'${status}'`)
      .join(", ")})`,
  ],
])("the database has the same rule, in %s: %s", (migration, rule) => {
  expect(readFileSync(new URL(`../../../../../supabase/migrations/${migration}.sql`, import.meta.url), "utf8")).toContain(rule);
});
