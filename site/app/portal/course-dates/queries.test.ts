import { describe, expect, test } from "vitest";
import { refusal, scriptedClient } from "../wire-fixture.ts";
import { startEdit } from "../records/save-record.ts";
import { addCourseDate, deleteCourseDate, listCourseDates, repeatCourseDate, saveCourseDate } from "./queries.ts";
import type { CourseDate } from "./schema.ts";

const ID = "0d1f5f0e-7a55-4b7c-9f0a-3f2f3c1c9a01";
const oneBooking = { status: 200, body: [{ id: "b1", status: "active" }] };
const cancelledBookings = {
  status: 200,
  body: [
    { id: "b1", status: "cancelled" },
    { id: "b2", status: "cancelled" },
  ],
};
const blocked = {
  ok: false,
  message: "Cannot delete this course as it has 1 active booking(s). Please delete or reassign the bookings first.",
  next: { to: `/admin/bookings?date=${ID}`, label: "Show its bookings, to move or delete them" },
};
const noBookings = { status: 200, body: [] };

function filledIn(): FormData {
  const form = new FormData();
  form.set("course_name", "Lvl 2 CCTV");
  form.set("course_date", "2027-07-12T09:00");
  form.set("capacity", "12");
  return form;
}

describe("listing", () => {
  test("asks for every date, the earliest first", async () => {
    const { supabase, asked } = scriptedClient([{ status: 200, body: [] }]);
    expect(await listCourseDates(supabase)).toEqual({ ok: true, rows: [] });
    expect(asked).toEqual(["GET /rest/v1/course_dates?select=*,waiting_list(id)&order=course_date.asc,id.asc&offset=0&limit=1000"]);
  });

  test("says why it failed", async () => {
    const { supabase } = scriptedClient([refusal(401, "PGRST303", "JWT expired")]);
    expect(await listCourseDates(supabase)).toEqual({ ok: false, message: "Error fetching course dates: JWT expired" });
  });
});

describe("adding", () => {
  test("sends the fields, the time as an instant", async () => {
    const { supabase, asked } = scriptedClient([{ status: 201 }]);
    expect(await addCourseDate(supabase, filledIn())).toEqual({ ok: true, message: "Course added successfully!" });
    const sent =
      '{"course_name":"Lvl 2 CCTV","course_date":"2027-07-12T08:00:00.000Z","end_date":null,"capacity":12,"description":null,"status":"open"}';
    expect(asked).toEqual([`POST /rest/v1/course_dates ${sent}`]);
  });

  test("asks nothing of the service for a form that is not right", async () => {
    const { supabase, asked } = scriptedClient([]);
    const form = filledIn();
    form.set("capacity", "0");
    expect(await addCourseDate(supabase, form)).toMatchObject({ ok: false, field: "capacity" });
    expect(asked).toEqual([]);
  });

  test("says why it failed", async () => {
    const { supabase } = scriptedClient([refusal(403, "42501", "permission denied")]);
    expect(await addCourseDate(supabase, filledIn())).toEqual({ ok: false, message: "Failed to add course: permission denied" });
  });
});

describe("changing", () => {
  const row: CourseDate = {
    id: ID,
    course_name: "Lvl 2 CCTV",
    course_date: "2027-07-12T08:00:00+00:00",
    end_date: null,
    capacity: 12,
    places_taken: 3,
    places_left: 9,
    description: null,
    status: "open",
    created_at: "2027-01-01T09:00:00+00:00",
    updated_at: "2027-01-01T09:00:00+00:00",
  };

  test("sends what was changed, for the row as it was seen; a start in other words is no change", async () => {
    const { supabase, asked } = scriptedClient([{ status: 200, body: [row] }]);
    const form = filledIn();
    form.set("status", "confirmed");
    expect(await saveCourseDate(supabase, startEdit(row), form)).toEqual({ ok: true, message: "Course saved successfully!" });
    expect(asked).toEqual([
      `PATCH /rest/v1/course_dates?id=eq.${ID}&updated_at=eq.2027-01-01T09:00:00+00:00&select=* {"status":"confirmed"}`,
    ]);
  });

  test("tells in words what somebody else changed", async () => {
    const theirs = { ...row, course_date: "2027-07-12T09:00:00+00:00", status: "postponed", updated_at: "2027-01-02T09:00:00+00:00" };
    const { supabase } = scriptedClient([
      { status: 200, body: [] },
      { status: 200, body: [theirs] },
    ]);
    const form = filledIn();
    form.set("capacity", "10");
    expect(await saveCourseDate(supabase, startEdit(row), form)).toMatchObject({
      ok: false,
      message: expect.stringContaining("Start Date: 2027-07-12 09:00, now 2027-07-12 10:00; Status: Open, now Postponed."),
    });
  });

  test("says how many places are booked where the capacity would fall below", async () => {
    const { supabase } = scriptedClient([{ status: 409, body: { code: "PT409", message: "Capacity too low", details: "3", hint: null } }]);
    const form = filledIn();
    form.set("capacity", "2");
    expect(await saveCourseDate(supabase, startEdit(row), form)).toMatchObject({
      ok: false,
      field: "capacity",
      message: expect.stringMatching(/^3 places are booked/),
    });
  });

  test("repeating adds all dates in one request, or says why none", async () => {
    const { supabase, asked } = scriptedClient([{ status: 201 }, refusal(403, "42501", "permission denied")]);
    const form = new FormData();
    form.set("how", "weekly");
    form.set("times", "2");
    expect(await repeatCourseDate(supabase, row, form)).toEqual({ ok: true, message: "2 course(s) added successfully!" });
    expect(asked).toHaveLength(1);
    expect(await repeatCourseDate(supabase, row, form)).toEqual({ ok: false, message: "Failed to add courses: permission denied" });
  });
});

describe("deleting", () => {
  test("looks for bookings first", async () => {
    const { supabase, asked } = scriptedClient([noBookings, { status: 200, body: [{ id: ID }] }]);
    expect(await deleteCourseDate(supabase, ID)).toMatchObject({ ok: true, message: "Course deleted successfully!" });
    expect(asked).toEqual([
      `GET /rest/v1/bookings?select=id,status&course_id=eq.${ID}`,
      `DELETE /rest/v1/course_dates?id=eq.${ID}&select=id`,
    ]);
  });

  test("does not try where there are bookings", async () => {
    const { supabase, asked } = scriptedClient([oneBooking]);
    expect(await deleteCourseDate(supabase, ID)).toEqual(blocked);
    expect(asked).toHaveLength(1);
  });

  test("does not lose the record of cancelled bookings, and does not call them active", async () => {
    const { supabase } = scriptedClient([cancelledBookings]);
    expect(await deleteCourseDate(supabase, ID)).toMatchObject({ ok: false, message: expect.stringContaining("2 cancelled booking(s)") });
  });

  test.each(["23503", "23001"])("says the same where a booking came in between and the database refused with %s", async (code) => {
    const { supabase } = scriptedClient([noBookings, refusal(409, code, "violates foreign key constraint"), oneBooking]);
    expect(await deleteCourseDate(supabase, ID)).toEqual(blocked);
  });

  test.each(["23503", "23001"])("says that people wait for it where nothing else refers to it, refused with %s", async (code) => {
    const { supabase } = scriptedClient([noBookings, refusal(409, code, "violates foreign key constraint"), noBookings]);
    expect(await deleteCourseDate(supabase, ID)).toMatchObject({ ok: false, message: expect.stringContaining("waiting list") });
  });

  test("says why it failed, at the bookings or at the date", async () => {
    const atBookings = scriptedClient([refusal(403, "42501", "permission denied")]);
    expect(await deleteCourseDate(atBookings.supabase, ID)).toEqual({ ok: false, message: "Failed to delete course: permission denied" });
    const atDate = scriptedClient([noBookings, refusal(403, "42501", "permission denied")]);
    expect(await deleteCourseDate(atDate.supabase, ID)).toEqual({ ok: false, message: "Failed to delete course: permission denied" });
  });

  test("does not claim to have deleted what a policy kept or somebody else deleted", async () => {
    const { supabase } = scriptedClient([noBookings, { status: 200, body: [] }]);
    expect(await deleteCourseDate(supabase, ID)).toMatchObject({ ok: false, message: expect.stringMatching(/^Failed to delete course: /) });
  });
});
