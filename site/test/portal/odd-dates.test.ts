import { beforeEach, expect, test } from "vitest";
import { courseDateFields, type CourseDate } from "../../app/portal/course-dates/fields.ts";
import { addCourseDate, repeatCourseDate, saveCourseDate } from "../../app/portal/course-dates/save-dates.ts";
import { formValues } from "../../app/portal/forms/fields.ts";
import { withAnswer } from "../../app/portal/forms/question.ts";
import { startEdit } from "../../app/portal/records/save-record.ts";
import { listedDates, NEW_DATE, storedDate } from "./course-dates-fixture.ts";
import { formOf, portalProject, rowOf } from "./portal-fixture.ts";

const project = portalProject();
beforeEach(() => project().empty());

test.each([
  ["2020-03-02T09:00", "Mon 2 Mar 2020 is in the past."],
  ["2030-07-13T09:00", "Sat 13 Jul 2030 is at a weekend."],
  ["2030-08-26T09:00", "Mon 26 Aug 2030 is on a bank holiday."],
  ["2030-12-27T09:00", "Fri 27 Dec 2030 is on a day when the office is closed."],
  ["2030-07-09T03:00", "03:00 is at night."],
  ["2030-07-09T21:30", "21:30 is at night."],
  ["2030-07-15T09:00", "Lvl 2 CCTV already runs on Mon 15 Jul 2030."],
  ["2030-07-16T09:00", "Lvl 2 CCTV already runs on Tue 16 Jul 2030."],
])("an odd date is added on %s only after a question", async (course_date, reason) => {
  await storedDate(project(), { course_name: "Lvl 2 CCTV", course_date: "2030-07-15T08:00:00Z", end_date: "2030-07-16" });
  const form = formOf({ ...NEW_DATE, course_date });
  const message = `${reason} Add anyway?`;
  expect(await addCourseDate(project().staff, form)).toEqual({ ok: false, message, confirm: "Add anyway" });
  expect(await listedDates(project())).toHaveLength(1);
  expect(await addCourseDate(project().staff, withAnswer(form, message))).toMatchObject({ ok: true });
  expect(await listedDates(project())).toHaveLength(2);
});

test("an odd date causes another question after another change of the day, and none if only another field changes", async () => {
  const row = await storedDate(project(), { course_date: "2030-07-13T08:00:00Z" });
  const form = formOf({ ...formValues(courseDateFields, row), capacity: "9" });
  expect(await saveCourseDate(project().staff, startEdit(row), form)).toMatchObject({ ok: true });
  form.set("course_date", "2030-07-14T09:00");
  const message = "Sun 14 Jul 2030 is at a weekend. Save anyway?";
  expect(await saveCourseDate(project().staff, startEdit(row), form)).toMatchObject({ ok: false, message });
  form.set("course_date", "2030-07-20T09:00");
  expect(await saveCourseDate(project().staff, startEdit(row), withAnswer(form, message))).toMatchObject({ ok: false });
});

test("a date at whose hours the trainer has another date is added after a question", async () => {
  const trainer_id = project().staffId;
  await storedDate(project(), { course_name: "Lvl 2 Door Supervisor", course_date: "2030-07-03T08:00:00Z", trainer_id });
  await storedDate(project(), { course_date: "2030-07-09T17:30:00Z", trainer_id });
  await storedDate(project(), { course_date: "2030-07-09T08:00:00Z", trainer_id, status: "cancelled" });
  const form = formOf({ ...NEW_DATE, course_date: "2030-07-09T09:00", trainer_id });
  const message = "office@site.example also teaches Lvl 2 Door Supervisor on Wed 3 Jul 2030 at 09:00. Add anyway?";
  expect(await addCourseDate(project().staff, form)).toEqual({ ok: false, message, confirm: "Add anyway" });
  expect(await addCourseDate(project().staff, withAnswer(form, message))).toMatchObject({ ok: true });
  expect(
    await addCourseDate(
      project().staff,
      formOf({ ...NEW_DATE, course_name: "Manual Handling", course_date: "2030-07-24T09:00", trainer_id }),
    ),
  ).toMatchObject({ ok: true });
});

test("choosing a trainer who is busy causes a question about the trainer, not about the day", async () => {
  const trainer_id = project().staffId;
  await storedDate(project(), { course_name: "Manual Handling", course_date: "2030-07-13T08:00:00Z", trainer_id });
  const row = await storedDate(project(), { course_date: "2030-07-13T08:00:00Z" });
  const form = formOf({ ...formValues(courseDateFields, row), trainer_id });
  const message = "office@site.example also teaches Manual Handling on Sat 13 Jul 2030 at 09:00. Save anyway?";
  expect(await saveCourseDate(project().staff, startEdit(row), form)).toEqual({ ok: false, message, confirm: "Save anyway" });
  const saved = await saveCourseDate(project().staff, startEdit(row), withAnswer(form, message));
  expect(saved).toMatchObject({ ok: true, message: "Course date saved." });
  const own = await rowOf<CourseDate>(project(), "course_dates", row.id);
  form.set("capacity", "9");
  expect(await saveCourseDate(project().staff, startEdit(own), form)).toMatchObject({ ok: true });
});

test("an odd date is named among repeated dates", async () => {
  const row = await storedDate(project());
  await storedDate(project(), { course_date: "2030-01-21T09:00:00Z" });
  const form = formOf({ how: "days", "day-1": "2030-01-19", "day-2": "2030-01-20", "day-3": "2030-01-21", "day-4": "2030-01-22" });
  expect(await repeatCourseDate(project().staff, row, form)).toMatchObject({
    message: "Sat 19 Jan 2030 and Sun 20 Jan 2030 are at a weekend. Manual Handling already runs on Mon 21 Jan 2030. Add anyway?",
  });
});
