import { courseById } from "content/courses/index.ts";
import { goals, type Goal } from "content/rules/goals.ts";
import { ruleOn } from "content/rules/rules-on.ts";
import type { CertificateRule, ELearningRule, FirstAidRule, LicenceRule } from "content/rules/types.ts";
import type { Course } from "content/types.ts";
import { lastDayOf } from "../time/last-day.ts";
import { londonToday } from "../time/london-time.ts";
import { availabilityOf, toCourseDate, type CourseDate, type CourseDateRow } from "./course-date.ts";

/** The steps to a goal with what they cost, and the dates that fit together. */
export interface RoutePlan {
  goal: Goal;
  course: Course;
  /** Null if the course needs no first-aid certificate. */
  firstAidRule: FirstAidRule | null;
  /** The course for the certificate; null if none is needed or the visitor holds one. */
  firstAidCourse: Course | null;
  eLearning: ELearningRule | null;
  licence: LicenceRule | null;
  certificate: CertificateRule | null;
  /** The teaching days and our price in pounds, without the fee of the licence. */
  total: { days: number; price: number };
  /** The dates of the course with places, in order. */
  options: readonly DateOption[];
}

/** A date of the course and, if one is needed, the earliest first-aid date with places that ends before it. */
interface DateOption {
  start: CourseDate;
  firstAid: CourseDate | null;
  fits: boolean;
}

/** The goal that a course leads to. */
export function goalOfCourse(courseId: string): Goal | undefined {
  return goals.find(({ course }) => course === courseId);
}

/** The names of the courses whose dates a plan needs. */
export function plannedCourses(goal: Goal, today: string): string[] {
  const { firstAidCourse } = ruleOn("first-aid", goal.course, today) ?? {};
  return [goal.course, firstAidCourse].flatMap((id) => courseById(id ?? "")?.courseName ?? []);
}

/**
 * Plans the route to a goal from rows of upcoming dates in order. Rules are those of the start of the first date with places, or of
 * `now` if there is none; a date fits by the rules of its own start.
 */
export function planRoute(
  goal: Goal,
  rows: readonly CourseDateRow[],
  { now, holdsFirstAid }: { now: number; holdsFirstAid: boolean },
): RoutePlan {
  const course = courseById(goal.course);
  if (!course) throw new Error(`The goal ${goal.id} has no course`);
  const open = rows.filter((row) => Date.parse(row.course_date) > now && availabilityOf(row) === "open");
  const starts = open.filter(({ course_name }) => course_name === course.courseName);
  const day = starts[0] ? startDay(starts[0]) : londonToday(now);
  const firstAidRule = ruleOn("first-aid", course.id, day) ?? null;
  const firstAidCourse = (firstAidRule && !holdsFirstAid && courseById(firstAidRule.firstAidCourse)) || null;
  const steps = firstAidCourse ? [firstAidCourse, course] : [course];
  return {
    goal,
    course,
    firstAidRule,
    firstAidCourse,
    eLearning: ruleOn("e-learning", course.id, day) ?? null,
    licence: ruleOn("licence", course.id, day) ?? null,
    certificate: ruleOn("certificate", course.id, day) ?? null,
    total: { days: sum(steps.map(({ days }) => days)), price: sum(steps.map(({ price }) => price)) },
    options: starts.flatMap((row) => option(row, open, holdsFirstAid)),
  };
}

function option(row: CourseDateRow, open: readonly CourseDateRow[], holdsFirstAid: boolean): DateOption[] {
  const start = toCourseDate(row);
  if (!start) return [];
  const rule = holdsFirstAid ? undefined : ruleOn("first-aid", courseIdOf(start), startDay(row));
  if (!rule) return [{ start, firstAid: null, fits: true }];
  const name = courseById(rule.firstAidCourse)?.courseName;
  const before = open.find((other) => other.course_name === name && lastDayOf(other) < startDay(row));
  const firstAid = (before && toCourseDate(before)) ?? null;
  return [{ start, firstAid, fits: firstAid !== null }];
}

function courseIdOf({ course }: CourseDate): string {
  return course.link.slice(1);
}

function startDay({ course_date }: CourseDateRow): string {
  return londonToday(Date.parse(course_date));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
