import { describe, expect, test } from "vitest";
import { refusal, scriptedClient } from "../wire-fixture.ts";
import { addCourseDate, deleteCourseDate, listCourseDates } from "./queries.ts";

const ID = "0d1f5f0e-7a55-4b7c-9f0a-3f2f3c1c9a01";
const oneBooking = { status: 200, body: [{ id: "b1" }] };
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
    expect(asked).toEqual(["GET /rest/v1/course_dates?select=*&order=course_date.asc,id.asc&offset=0&limit=1000"]);
  });

  test("says why it failed", async () => {
    const { supabase } = scriptedClient([refusal(401, "PGRST303", "JWT expired")]);
    expect(await listCourseDates(supabase)).toEqual({ ok: false, message: "Error fetching course dates: JWT expired" });
  });
});

describe("adding", () => {
  test("sends the four fields, the time as an instant", async () => {
    const { supabase, asked } = scriptedClient([{ status: 201 }]);
    expect(await addCourseDate(supabase, filledIn())).toEqual({ ok: true, message: "Course added successfully!" });
    const sent = '{"course_name":"Lvl 2 CCTV","course_date":"2027-07-12T08:00:00.000Z","capacity":12,"description":null}';
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

describe("deleting", () => {
  test("looks for bookings first", async () => {
    const { supabase, asked } = scriptedClient([noBookings, { status: 200, body: [{ id: ID }] }]);
    expect(await deleteCourseDate(supabase, ID)).toEqual({ ok: true, message: "Course deleted successfully!" });
    expect(asked).toEqual([`GET /rest/v1/bookings?select=id&course_id=eq.${ID}`, `DELETE /rest/v1/course_dates?id=eq.${ID}&select=id`]);
  });

  test("does not try where there are bookings", async () => {
    const { supabase, asked } = scriptedClient([oneBooking]);
    expect(await deleteCourseDate(supabase, ID)).toEqual({
      ok: false,
      message: "Cannot delete this course as it has 1 active booking(s). Please delete or reassign the bookings first.",
    });
    expect(asked).toHaveLength(1);
  });

  test("says the same where a booking came in between and the database refused", async () => {
    const { supabase } = scriptedClient([noBookings, refusal(409, "23503", "violates foreign key constraint"), oneBooking]);
    expect(await deleteCourseDate(supabase, ID)).toEqual({
      ok: false,
      message: "Cannot delete this course as it has 1 active booking(s). Please delete or reassign the bookings first.",
    });
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
