import { describe, expect, test } from "vitest";
import { startEdit } from "../records/save-record.ts";
import { refusal, scriptedClient } from "../wire-fixture.ts";
import { addBooking, cancelBooking, deleteBooking, findPeople, listBookableDates, listBookings, moveAll, saveBooking } from "./queries.ts";
import type { Booking } from "./schema.ts";

const ID = "0d1f5f0e-7a55-4b7c-9f0a-3f2f3c1c9a01";
const none = { status: 200, body: [] };
const DATE = "course_name,course_date,end_date,capacity,places_left,status";
const EMBED = `*,course_dates!inner(${DATE})`;
const full = (left: number) => ({ status: 409, body: { code: "PT409", message: "Not enough places", details: String(left), hint: null } });

const booking: Booking = {
  id: ID,
  course_id: "d1",
  course_dates: {
    course_name: "Lvl 2 CCTV",
    course_date: "2030-01-07T09:00:00+00:00",
    end_date: null,
    capacity: 12,
    places_left: 9,
    status: "open",
  },
  name: "Ada",
  email: null,
  phone: null,
  company: null,
  places: 1,
  payment_status: "due",
  payment_method: null,
  note: null,
  status: "active",
  created_at: "2029-12-01T09:00:00+00:00",
  updated_at: "2029-12-01T09:00:00+00:00",
  updated_by: null,
  enquiry_id: null,
};

function filledIn(changes: Record<string, string> = {}): FormData {
  const form = new FormData();
  const values = { course_id: "d1", name: "Ada", places: "1", payment_status: "due", ...changes };
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}

describe("listing", () => {
  test("asks for the dates of the scope with their bookings, and sorts those by name", async () => {
    const { course_dates, ...row } = booking;
    const dates = [
      { ...course_dates, bookings: [{ ...row, name: "Zoe" }, row] },
      { ...course_dates, bookings: [] },
      { ...course_dates, course_date: "2030-02-07T09:00:00+00:00", bookings: [{ ...row, id: "b2" }] },
    ];
    const { supabase, asked } = scriptedClient([{ status: 200, body: dates }, none, none]);
    const answer = await listBookings(supabase, "all");
    expect(answer.ok && answer.rows.map(({ name, id, course_dates: date }) => [name, id, date.course_date])).toEqual([
      ["Ada", ID, "2030-01-07T09:00:00+00:00"],
      ["Zoe", ID, "2030-01-07T09:00:00+00:00"],
      ["Ada", "b2", "2030-02-07T09:00:00+00:00"],
    ]);
    await listBookings(supabase, { date: "d1" });
    await listBookings(supabase, { since: "2030-01-01T00:00:00.000Z" });
    const page = `GET /rest/v1/course_dates?select=${DATE},bookings(*)&order=course_date.asc,id.asc&offset=0&limit=1000`;
    expect(asked).toEqual([page, `${page}&id=eq.d1`, `${page}&course_date=gte.2030-01-01T00:00:00.000Z`]);
  });

  test("asks for the dates one may book, the one that is shown among them", async () => {
    const { supabase, asked } = scriptedClient([none]);
    await listBookableDates(supabase, { since: "2030-01-01T00:00:00.000Z", id: ID });
    expect(asked[0]).toContain(`or=(course_date.gte."2030-01-01T00:00:00.000Z",id.eq.${ID})`);
  });

  test("says why it failed", async () => {
    const { supabase } = scriptedClient([refusal(401, "PGRST303", "JWT expired"), refusal(401, "PGRST303", "JWT expired")]);
    expect(await listBookings(supabase, "all")).toEqual({ ok: false, message: "Error fetching bookings: JWT expired" });
    expect(await listBookableDates(supabase, { id: ID })).toEqual({ ok: false, message: "Error fetching course dates: JWT expired" });
  });
});

describe("taking a booking", () => {
  test("sends the fields", async () => {
    const { supabase, asked } = scriptedClient([{ status: 201 }]);
    expect(await addBooking(supabase, filledIn())).toEqual({ ok: true, message: "Booking added for Ada." });
    expect(asked[0]).toBe(
      'POST /rest/v1/bookings {"course_id":"d1","name":"Ada","email":null,"phone":null,"places":1,"note":null,"company":null,"payment_status":"due","payment_method":null,"status":"active"}',
    );
  });

  test.each([
    [full(0), "course_id", /That date is full/],
    [full(2), "places", /Only 2 places are left/],
    [refusal(410, "PT410", "This date is cancelled"), "course_id", /is cancelled/],
    [refusal(409, "23503", "violates foreign key"), "course_id", /deleted meanwhile/],
  ])("explains %j at its field", async (answer, field, message) => {
    const { supabase } = scriptedClient([answer]);
    expect(await addBooking(supabase, filledIn())).toMatchObject({ ok: false, field, message: expect.stringMatching(message) });
  });

  test("says why it failed otherwise", async () => {
    const { supabase } = scriptedClient([refusal(403, "42501", "permission denied")]);
    expect(await addBooking(supabase, filledIn())).toEqual({ ok: false, message: "Failed to add booking: permission denied" });
  });
});

describe("saving a booking", () => {
  test("sends what was changed, for the row as it was seen", async () => {
    const { supabase, asked } = scriptedClient([{ status: 200, body: [booking] }]);
    expect(await saveBooking(supabase, startEdit(booking), filledIn({ places: "3" }))).toEqual({
      ok: true,
      message: "Booking of Ada saved.",
    });
    expect(asked).toEqual([`PATCH /rest/v1/bookings?id=eq.${ID}&updated_at=eq.2029-12-01T09:00:00+00:00&select=${EMBED} {"places":3}`]);
  });

  test("names the date somebody else moved it to", async () => {
    const moved = {
      ...booking,
      course_id: "d2",
      course_dates: { ...booking.course_dates, course_date: "2030-02-07T09:00:00+00:00" },
      updated_at: "2029-12-01T10:00:00+00:00",
    };
    const { supabase } = scriptedClient([none, { status: 200, body: [moved] }]);
    expect(await saveBooking(supabase, startEdit(booking), filledIn({ places: "3" }))).toMatchObject({
      ok: false,
      message: expect.stringContaining("Date: Lvl 2 CCTV, Mon 7 Jan 2030, 09:00, now Lvl 2 CCTV, Thu 7 Feb 2030, 09:00."),
    });
  });
});

test("moving all moves the active ones in one request, or says why none moved", async () => {
  const { supabase, asked } = scriptedClient([{ status: 200, body: [{ id: "b1" }, { id: "b2" }] }, full(1), none]);
  expect(await moveAll(supabase, "d1", "d2")).toEqual({ ok: true, message: "2 bookings moved." });
  expect(asked).toEqual(['PATCH /rest/v1/bookings?course_id=eq.d1&status=eq.active&select=id {"course_id":"d2"}']);
  expect(await moveAll(supabase, "d1", "d2")).toMatchObject({
    ok: false,
    field: "target",
    message: expect.stringContaining("Nothing was moved"),
  });
  expect(await moveAll(supabase, "d1", "d2")).toMatchObject({ ok: false });
  expect(await moveAll(supabase, "d1", "")).toMatchObject({ ok: false, field: "target" });
});

test("cancelling and deleting do not claim what did not happen", async () => {
  const { supabase } = scriptedClient([{ status: 200, body: [{ id: ID }] }, none, { status: 200, body: [{ id: ID }] }, none]);
  expect(await cancelBooking(supabase, ID)).toMatchObject({ ok: true });
  expect(await cancelBooking(supabase, ID)).toMatchObject({ ok: false });
  expect(await deleteBooking(supabase, ID)).toMatchObject({ ok: true });
  expect(await deleteBooking(supabase, ID)).toMatchObject({ ok: false });
});

test("people are found by the service; where it fails there are none", async () => {
  const person = { name: "Ada", email: null, phone: "07700 900 123", company: null };
  const { supabase } = scriptedClient([{ status: 200, body: [person, null, { name: 3 }] }, refusal(403, "42501", "Not authenticated")]);
  expect(await findPeople(supabase, "ada")).toEqual([person]);
  expect(await findPeople(supabase, "ada")).toEqual([]);
});
