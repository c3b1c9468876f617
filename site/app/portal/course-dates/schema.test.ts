import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkCourseDate, DEFAULT_CAPACITY, LEAST_CAPACITY, LONGEST_DESCRIPTION } from "./schema.ts";

const filledIn = { course_name: "Lvl 2 CCTV", course_date: "2027-07-12T09:00", capacity: "12", description: "" };

function check(changes: Partial<typeof filledIn> = {}): ReturnType<typeof checkCourseDate> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...filledIn, ...changes })) form.set(name, value);
  return checkCourseDate(form);
}

describe("checkCourseDate", () => {
  test("takes a date, its time as an instant and no description as null", () => {
    expect(check()).toEqual({
      ok: true,
      value: {
        course_name: "Lvl 2 CCTV",
        course_date: "2027-07-12T08:00:00.000Z",
        capacity: 12,
        description: null,
        end_date: null,
        status: "open",
      },
    });
  });

  test("drops the spaces around a description", () => {
    expect(check({ description: "  Bring a coat.\n" })).toMatchObject({ value: { description: "Bring a coat." } });
  });

  test("counts characters as Postgres does, not UTF-16 units", () => {
    expect(check({ description: "🏔".repeat(LONGEST_DESCRIPTION) }).ok).toBe(true);
  });

  test.each([
    ["course_name", "", "no course"],
    ["course_name", "Lvl 9 Juggling", "a course that is not taught"],
    ["course_date", "", "no start"],
    ["course_date", "2027-03-28T01:30", "an hour that the clocks skip"],
    ["capacity", "", "no capacity"],
    ["capacity", "0", "no places"],
    ["capacity", "-3", "fewer than no places"],
    ["capacity", "2.5", "half a place"],
    ["capacity", "twelve", "words"],
    ["capacity", "2147483648", "more than the column holds"],
    ["description", "x".repeat(LONGEST_DESCRIPTION + 1), "a description too long"],
  ])("refuses %s %j, naming the field: %s", (field, value) => {
    expect(check({ [field]: value })).toMatchObject({ ok: false, field });
  });
});

test("the limits are those of the database", () => {
  const migration = readFileSync(new URL("../../../../supabase/migrations/20261101090100_course_dates.sql", import.meta.url), "utf8");
  expect(migration).toContain(`capacity integer not null default ${DEFAULT_CAPACITY} check (capacity >= ${LEAST_CAPACITY})`);
  expect(migration).toContain(`char_length(description) <= ${LONGEST_DESCRIPTION}`);
});
