import { goals } from "content/rules/goals.ts";
import { expect, test } from "vitest";
import { courseDateRow } from "../../test/support/course-date-row.ts";
import type { CourseDateRow } from "./course-date.ts";
import { goalOfCourse, planRoute } from "./route-plan.ts";

const NOW = Date.parse("2026-12-01T12:00Z");
const DOOR = "Lvl 2 Door Supervisor";
const EMERGENCY = "Emergency First Aid Work Level 3";

function row(course_name: string, course_date: string, values: Partial<CourseDateRow> = {}): CourseDateRow {
  return courseDateRow({ id: `${course_name} ${course_date}`, course_name, course_date, ...values });
}

function plan(courseId: string, rows: readonly CourseDateRow[], holdsFirstAid = false) {
  const goal = goalOfCourse(courseId);
  if (!goal) throw new Error("no goal");
  return planRoute(goal, rows, { now: NOW, holdsFirstAid });
}

function pairs(rows: readonly CourseDateRow[], courseId = "door-supervisor", holdsFirstAid = false) {
  return plan(courseId, rows, holdsFirstAid).options.map(({ start, firstAid, fits }) => [
    start.id.slice(-17),
    firstAid?.id.slice(-17) ?? null,
    fits,
  ]);
}

test("a course date is paired with the earliest first-aid date that ends before it and has places", () => {
  const rows = [
    row(EMERGENCY, "2026-12-03T09:00Z", { places_left: 0 }),
    row(EMERGENCY, "2026-12-04T09:00Z", { status: "cancelled" }),
    row(EMERGENCY, "2026-12-07T09:00Z"),
    row(EMERGENCY, "2026-12-08T09:00Z"),
    row(DOOR, "2026-12-07T09:00Z"),
    row(DOOR, "2026-12-08T09:00Z"),
    row(DOOR, "2026-12-09T09:00Z", { status: "full" }),
  ];
  expect(pairs(rows)).toEqual([
    ["2026-12-07T09:00Z", null, false],
    ["2026-12-08T09:00Z", "2026-12-07T09:00Z", true],
  ]);
});

test("a first-aid course of three days fits only if its last day is before the start", () => {
  const firstAid = row("First Aid at Work Level 3", "2027-01-07T09:00Z");
  const rows = [firstAid, row("Lvl 3 Close Protection", "2027-01-11T09:00Z"), row("Lvl 3 Close Protection", "2027-01-12T09:00Z")];
  expect(pairs(rows, "close-protection").map(([, , fits]) => fits)).toEqual([false, true]);
});

test("a visitor who holds a certificate needs no first-aid date and pays less", () => {
  const rows = [row(DOOR, "2026-12-07T09:00Z")];
  expect(pairs(rows, "door-supervisor", true)).toEqual([["2026-12-07T09:00Z", null, true]]);
  expect(plan("door-supervisor", rows).total).toEqual({ days: 9, price: 550 });
  expect(plan("door-supervisor", rows, true).total).toEqual({ days: 8, price: 400 });
  expect(plan("door-supervisor", rows, true).firstAidRule).toEqual(plan("door-supervisor", rows).firstAidRule);
});

test("a refresher needs e-learning and ends with a renewal", () => {
  const refresher = plan("door-supervisor-topup", [row("Door Supervisor Refresher Course", "2026-12-07T09:00Z")]);
  expect([refresher.eLearning?.modules, refresher.licence?.renewal]).toEqual([["ACT Awareness", "ACT Security"], true]);
});

test("every goal has a plan, also without dates", () => {
  for (const goal of goals) expect(planRoute(goal, [], { now: NOW, holdsFirstAid: false })).toMatchObject({ options: [] });
  expect(plan("cctv", []).firstAidRule).toBeNull();
});
