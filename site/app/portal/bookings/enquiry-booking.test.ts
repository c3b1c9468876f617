import { expect, test } from "vitest";
import { refusal, scriptedClient } from "../wire-fixture.ts";
import { enquiryToBook } from "./enquiry-booking.ts";
import { addBooking } from "./queries.ts";
import type { BookableDate } from "./schema.ts";

const ID = "0d1f5f0e-7a55-4b7c-9f0a-3f2f3c1c9a01";
const NOW = Date.parse("2030-01-01T09:00:00Z");
const enquiry = { id: ID, name: "Ada", reply_to: "ada@mail.example", course_name: "Lvl 2 CCTV", message: "When?", bookings: [] };

function date(id: string, course_date: string, places_left: number, course_name = "Lvl 2 CCTV"): BookableDate {
  return { id, course_name, course_date, end_date: null, capacity: 12, places_left, status: "open", waiting_list: [] };
}

const dates = [
  date("later", "2030-03-07T09:00:00Z", 3),
  date("past", "2029-12-07T09:00:00Z", 3),
  date("full", "2030-01-07T09:00:00Z", 0),
  { ...date("postponed", "2030-01-08T09:00:00Z", 3), status: "postponed" },
  { ...date("set to full", "2030-01-09T09:00:00Z", 3), status: "full" },
  date("next", "2030-02-07T09:00:00Z", 1),
  date("other", "2030-01-05T09:00:00Z", 9, "Manual Handling"),
];

test("the booking of an enquiry begins with the person and the next date of the course that has a place", async () => {
  const { supabase } = scriptedClient([{ status: 200, body: [enquiry] }]);
  expect(await enquiryToBook(supabase, ID, dates, NOW)).toEqual({
    id: ID,
    name: "Ada",
    message: "When?",
    begin: { name: "Ada", email: "ada@mail.example", course_id: "next" },
  });
});

test("a phone number goes to its field, and where no date fits none is chosen", async () => {
  const { supabase } = scriptedClient([{ status: 200, body: [{ ...enquiry, reply_to: "07700 900 123", course_name: null }] }]);
  const booked = await enquiryToBook(supabase, ID, dates, NOW);
  expect(booked?.begin).toEqual({ name: "Ada", phone: "07700 900 123", course_id: "" });
});

test("one that is gone or was booked is not booked", async () => {
  const { supabase } = scriptedClient([
    { status: 200, body: [] },
    { status: 200, body: [{ ...enquiry, bookings: [{ id: "b1" }] }] },
  ]);
  expect(await enquiryToBook(supabase, ID, dates, NOW)).toBeNull();
  expect(await enquiryToBook(supabase, ID, dates, NOW)).toBeNull();
});

function filledIn(): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ course_id: "d1", name: "Ada", places: "1", payment_status: "due" })) form.set(name, value);
  return form;
}

test("the booking names its enquiry, and is taken without it where that was deleted meanwhile", async () => {
  const { supabase, asked } = scriptedClient([{ status: 201 }, refusal(409, "23503", "violates foreign key"), { status: 201 }]);
  expect(await addBooking(supabase, filledIn(), ID)).toEqual({ ok: true, message: "Booking added for Ada." });
  expect(await addBooking(supabase, filledIn(), ID)).toEqual({ ok: true, message: "Booking added for Ada." });
  expect(asked.map((request) => request.includes(`"enquiry_id":"${ID}"`))).toEqual([true, true, false]);
});

test("an enquiry that a colleague booked meanwhile is not booked twice", async () => {
  const { supabase } = scriptedClient([refusal(422, "PT422", "This enquiry was booked already")]);
  expect(await addBooking(supabase, filledIn(), ID)).toMatchObject({
    ok: false,
    message: expect.stringContaining("meanwhile"),
    next: { to: `/admin/enquiries?open=${ID}` },
  });
});
