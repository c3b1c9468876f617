import { beforeEach, describe, expect, test } from "vitest";
import { courseDateFields, courseDateForm } from "../../app/portal/course-dates/fields.ts";
import { courseDateColumns } from "../../app/portal/course-dates/filter.ts";
import { deleteCourseDate, listCourseDates } from "../../app/portal/course-dates/queries.ts";
import { addCourseDate, repeatCourseDate, saveCourseDate } from "../../app/portal/course-dates/save-dates.ts";
import { listChanges } from "../../app/portal/history/queries.ts";
import { valueInWords } from "../../app/portal/history/change.ts";
import { listPeople } from "../../app/portal/lists/people.ts";
import { formValues, parseForm } from "../../app/portal/forms/fields.ts";
import { startEdit } from "../../app/portal/records/save-record.ts";
import { listedDates, NEW_DATE, storedDate } from "./course-dates-fixture.ts";
import { formOf, portalProject, rowOf } from "./portal-fixture.ts";

const project = portalProject();
beforeEach(() => project().empty());

describe("adding a course date", () => {
  test("stores London time as an instant, empty fields as null and a new date as open", async () => {
    expect(await addCourseDate(project().staff, formOf(NEW_DATE))).toMatchObject({ ok: true, message: "Course added successfully!" });
    expect(await listedDates(project())).toMatchObject([
      {
        course_name: "Lvl 2 CCTV",
        course_date: "2030-07-08T08:00:00+00:00",
        end_date: null,
        capacity: 12,
        description: null,
        status: "open",
        waiting_list: [],
      },
    ]);
  });

  test.each([
    ["course_name", ""],
    ["course_name", "Lvl 9 Juggling"],
    ["course_date", ""],
    ["course_date", "2027-03-28T01:30"],
    ["end_date", "2030-07-07"],
    ["end_date", "soon"],
    ["capacity", ""],
    ["capacity", "0"],
    ["capacity", "-3"],
    ["capacity", "2.5"],
    ["capacity", "twelve"],
    ["capacity", "2147483648"],
    ["description", "x".repeat(2001)],
    ["status", "lost"],
  ])("refuses %s %j at its field and adds nothing", async (field, value) => {
    expect(await addCourseDate(project().staff, formOf({ ...NEW_DATE, [field]: value }))).toMatchObject({ ok: false, field });
    expect(await listedDates(project())).toEqual([]);
  });

  test("accepts the longest description and the largest capacity that the database accepts", async () => {
    const form = formOf({ ...NEW_DATE, description: "🏔".repeat(2000), capacity: "2147483647" });
    expect(await addCourseDate(project().staff, form)).toMatchObject({ ok: true });
  });

  test("reports the error of the service", async () => {
    expect(await addCourseDate(project().project.visitor, formOf(NEW_DATE))).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^Failed to add course: permission denied/),
    });
  });
});

test("the form has a control for the day and one for the time", async () => {
  const row = await storedDate(project(), { course_date: "2030-07-08T12:30:00Z" });
  const values = courseDateForm(row);
  expect(values).toMatchObject({ course_date: "2030-07-08", start_time: "13:30" });
  expect(await saveCourseDate(project().staff, startEdit(row), formOf({ ...values }))).toMatchObject({ message: "Nothing was changed." });
  expect(await addCourseDate(project().staff, formOf({ ...values, start_time: "" }))).toMatchObject({ ok: false, field: "course_date" });
});

test("the form of a stored date has the values it was added with", async () => {
  const values = { ...NEW_DATE, end_date: "2030-07-10", description: "Bring a coat.", status: "confirmed" };
  await addCourseDate(project().staff, formOf(values));
  const [row] = await listedDates(project());
  const empty = Object.fromEntries(Object.keys(courseDateFields).map((name) => [name, ""]));
  expect(row && formValues(courseDateFields, row)).toEqual({ ...empty, ...values });
});

test("the CSV file has the London date and time of the start, words instead of codes, and the id at the end", async () => {
  const row = await storedDate(project(), { course_date: "2030-06-03T08:00:00Z", description: "Bring a coat.", end_date: "2030-06-04" });
  const cells = courseDateColumns.map(({ heading, cell }) => [heading, cell({ ...row, waiting_list: [], trainer: "Jo Airey" })]);
  expect(Object.fromEntries(cells)).toMatchObject({
    "Course type": row.course_name,
    Starts: "2030-06-03",
    "Starts, time": "09:00",
    "Last day": "2030-06-04",
    Capacity: row.capacity,
    Status: "Open",
    Description: "Bring a coat.",
    Trainer: "Jo Airey",
    "Places taken": row.places_taken,
    "Places left": row.places_left,
  });
  expect(cells.at(-1)).toEqual(["Date id", row.id]);
});

describe("the trainer of a course date", () => {
  test("is stored, listed by name, offered again in the form, repeated, and named after the account was removed", async () => {
    const { staff, staffId, project: opened } = project();
    const gone = await opened.staff("gone@site.example", "trainer");
    expect(await addCourseDate(staff, formOf({ ...NEW_DATE, trainer_id: gone.id }))).toMatchObject({ ok: true });
    const [row] = await listedDates(project());
    if (!row) throw new Error("nothing was added");
    expect(row).toMatchObject({ trainer_id: gone.id, trainer: "gone@site.example" });
    const values = courseDateForm(row);
    expect(values).toMatchObject({ trainer_id: gone.id });
    const again = { how: "1", times: "1", "day-1": "2030-07-15" };
    expect(await repeatCourseDate(staff, row, formOf(again))).toMatchObject({ ok: true });
    expect((await listedDates(project())).map(({ trainer_id }) => trainer_id)).toEqual([gone.id, gone.id]);

    await opened.service.auth.admin.deleteUser(gone.id);
    expect((await listedDates(project()))[0]).toMatchObject({ trainer: "a removed account" });
    // The names of the accounts could not be loaded.
    const failure = { ok: false, message: "Error fetching staff: no answer" } as const;
    expect(await listCourseDates(staff, Promise.resolve(failure))).toEqual(failure);
    expect(await saveCourseDate(staff, startEdit(row), formOf({ ...values, trainer_id: staffId }))).toMatchObject({ ok: true });
    const [changed] = await listedDates(project());
    expect(changed).toMatchObject({ trainer: "office@site.example" });
    expect(await saveCourseDate(staff, startEdit(row), formOf({ ...values, trainer_id: "" }))).toMatchObject({ ok: false });
    expect(await addCourseDate(staff, formOf({ ...NEW_DATE, trainer_id: "Jo" }))).toMatchObject({ ok: false, field: "trainer_id" });
  });

  test("is named in words when somebody else changed it, and in the history", async () => {
    const { staff, staffId } = project();
    const row = await storedDate(project());
    await staff.from("course_dates").update({ trainer_id: staffId }).eq("id", row.id);
    const form = formOf({ ...courseDateForm(row), capacity: "9" });
    const people = await listPeople(staff);
    const { message } = await saveCourseDate(staff, startEdit(row), form, people.ok ? people.rows : []);
    expect(message).toContain("Trainer: nobody, now office@site.example");
    const changes = await listChanges(staff, { kind: "", who: "", from: "", to: "", record: row.id, before: "" });
    const [change] = changes.ok ? changes.rows : [];
    expect(change && valueInWords("trainer_id", change.after?.["trainer_id"], change.names)).toBe("office@site.example");
    expect(valueInWords("trainer_id", row.id, new Map())).toBe("a removed account");
  });
});

describe("saving a course date", () => {
  test("writes the changed fields; a start that was not edited is no change", async () => {
    const row = await storedDate(project());
    const unchanged = formOf({ ...formValues(courseDateFields, row) });
    expect(await saveCourseDate(project().staff, startEdit(row), unchanged)).toMatchObject({ message: "Nothing was changed." });
    const form = formOf({ ...formValues(courseDateFields, row), status: "confirmed" });
    expect(await saveCourseDate(project().staff, startEdit(row), form)).toMatchObject({ ok: true, message: "Course date saved." });
    expect(await rowOf(project(), "course_dates", row.id)).toEqual({
      ...row,
      status: "confirmed",
      updated_at: expect.not.stringMatching(row.updated_at),
    });
  });

  test("shows in words what somebody else changed", async () => {
    const row = await storedDate(project());
    await project().staff.from("course_dates").update({ course_date: "2030-07-08T08:00:00Z", status: "postponed" }).eq("id", row.id);
    const form = formOf({ ...formValues(courseDateFields, row), capacity: "10" });
    const { message } = await saveCourseDate(project().staff, startEdit(row), form);
    expect(message).toContain("Start date: 2030-01-07 09:00, now 2030-07-08 09:00; Status: Open, now Postponed.");
  });

  test("says how many places are booked or held if the capacity would fall below", async () => {
    const row = await storedDate(project());
    await project().book(row.id, { places: 3 });
    const form = formOf({ ...formValues(courseDateFields, row), capacity: "2" });
    expect(await saveCourseDate(project().staff, startEdit(row), form)).toMatchObject({
      ok: false,
      field: "capacity",
      message: expect.stringMatching(/^3 places are booked or held/),
    });
  });
});

test("repeating adds all dates or none, and counts them", async () => {
  const row = await storedDate(project(), { description: "Bring a coat.", status: "full" });
  expect(
    await repeatCourseDate(project().staff, row, formOf({ how: "1", times: "2", "day-1": "2030-01-14", "day-2": "2030-01-21" })),
  ).toMatchObject({
    message: "2 course dates added: Mon 14 Jan 2030, Mon 21 Jan 2030.",
  });
  expect(await repeatCourseDate(project().staff, row, formOf({ how: "days", "day-1": "2031-01-06" }))).toMatchObject({
    message: "1 course date added: Mon 6 Jan 2031.",
  });
  expect((await listedDates(project())).slice(1)).toMatchObject(
    Array.from({ length: 3 }, () => ({ description: "Bring a coat.", status: "open" })),
  );
  expect(await repeatCourseDate(project().project.visitor, row, formOf({ how: "days", "day-1": "2032-01-05" }))).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^Failed to add course dates: /),
  });
});

describe("deleting a course date", () => {
  test("deletes it, and undo restores it", async () => {
    const row = await storedDate(project());
    const outcome = await deleteCourseDate(project().staff, row.id);
    expect(outcome).toMatchObject({ ok: true, message: "Course deleted successfully!" });
    expect(await listedDates(project())).toEqual([]);
    expect(outcome.ok && (await outcome.undo?.())).toEqual({ ok: true, message: "Course restored." });
    expect(await listedDates(project())).toMatchObject([{ id: row.id }]);
  });

  test.each([
    ["active", "Cannot delete this course as it has 1 active booking(s). Please delete or reassign the bookings first."],
    ["cancelled", "Cannot delete this course as it still has 1 cancelled booking. Please delete or reassign them first."],
  ])("is refused while it has %s bookings", async (status, message) => {
    const { id } = await storedDate(project());
    await project().book(id, { status });
    expect(await deleteCourseDate(project().staff, id)).toEqual({
      ok: false,
      message,
      next: { to: `/admin/bookings?date=${id}`, label: "Show its bookings, to move or delete them" },
    });
  });

  test("is refused while people are on its waiting list", async () => {
    const { id } = await storedDate(project());
    await project().add("waiting_list", { course_id: id, name: "Ada", phone: "07700 900123" });
    expect(await deleteCourseDate(project().staff, id)).toMatchObject({ ok: false, message: expect.stringContaining("waiting list") });
  });

  test("is not reported if the date was already deleted or the account may not", async () => {
    const { id } = await storedDate(project());
    expect(await deleteCourseDate(project().project.visitor, id)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^Failed to delete/),
    });
    await project().remove("course_dates", id);
    expect(await deleteCourseDate(project().staff, id)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^Failed to delete course: /),
    });
  });
});

test("a form without the status has the initial one", () => {
  expect(parseForm(courseDateFields, formOf(NEW_DATE))).toMatchObject({ ok: true, value: { status: "open" } });
});
