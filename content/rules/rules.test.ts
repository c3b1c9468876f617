import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { courseById } from "../courses/index.ts";
import { goals } from "./goals.ts";
import { ruleOn } from "./rules-on.ts";
import { rules } from "./rules.ts";
import type { Rule } from "./types.ts";

const eLearning = rules.find(({ kind }) => kind === "e-learning");

/**
 * The day of the checked-out code: that of the newest commit or, without a repository, of the newest migration. The day of the test run
 * would make an unchanged version fail one day.
 */
function dayOfTheCode(): string {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const migration = readdirSync(`${root}supabase/migrations`).toSorted().at(-1) ?? "";
  const days = [`${migration.slice(0, 4)}-${migration.slice(4, 6)}-${migration.slice(6, 8)}`];
  try {
    days.push(
      execFileSync("git", ["log", "-1", "--format=%cs"], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim(),
    );
  } catch (error) {
    // A copy without a repository, or a machine without git.
    if (!(error instanceof Error && ("status" in error || "code" in error))) throw error;
  }
  return days.toSorted().at(-1) ?? "";
}

/** The rules whose source was last checked more than 12 months before a day, an ISO date. */
function staleRules(day: string, all = rules): Rule[] {
  const limit = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
  return all.filter(({ source }) => source.checked < limit);
}

test("the source of every rule was checked in the 12 months before the newest change of the code", () => {
  expect(staleRules(dayOfTheCode()).map(({ source }) => `${source.name}: ${source.checked}`)).toEqual([]);
});

test("a rule is stale a year and a day after its source was checked", () => {
  if (!eLearning) throw new Error("no rule");
  const checked = { ...eLearning, source: { ...eLearning.source, checked: "2026-02-28" } };
  expect([staleRules("2027-02-28", [checked]), staleRules("2027-03-01", [checked])]).toEqual([[], [checked]]);
});

test("a rule applies to courses that start from its first to its last day", () => {
  if (!eLearning) throw new Error("no rule");
  const older: Rule = { ...eLearning, validFrom: "2025-04-01", validTo: "2026-03-31" };
  const newer: Rule = { ...eLearning, validFrom: "2026-04-01", validTo: null };
  const on = (day: string) => ruleOn("e-learning", "door-supervisor-topup", day, [older, newer]);
  expect([on("2025-03-31"), on("2025-04-01"), on("2026-03-31"), on("2026-04-01")]).toEqual([undefined, older, older, newer]);
});

test("rules of one kind and course do not overlap, and every rule names courses that exist", () => {
  for (const [index, rule] of rules.entries()) {
    for (const id of rule.courses) expect(courseById(id), id).toBeDefined();
    for (const other of rules.slice(index + 1).filter(({ kind }) => kind === rule.kind)) {
      const apart = (rule.validTo ?? "9999") < other.validFrom || (other.validTo ?? "9999") < rule.validFrom;
      expect(apart || !rule.courses.some((id) => other.courses.includes(id))).toBe(true);
    }
  }
});

test("every goal has a course, and each course leads to one goal at most", () => {
  for (const { course } of goals) expect(courseById(course), course).toBeDefined();
  expect(new Set(goals.map(({ course }) => course)).size).toBe(goals.length);
});

test("the prerequisites of courses agree with the rules", () => {
  for (const rule of rules) {
    if (rule.kind !== "first-aid") continue;
    for (const id of rule.courses)
      expect(courseById(id)?.prerequisites.join(), id).toContain(`at least ${rule.monthsLeft} months left on the first day`);
  }
});
