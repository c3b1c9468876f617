import { expect, test } from "vitest";
import { narrow, type Narrowed } from "../lists/list-filter.ts";
import { bookingFilter } from "./booking-filter.ts";
import type { Booking } from "./schema.ts";

const booking: Booking = {
  id: "b1",
  course_id: "d1",
  course_dates: {
    course_name: "Lvl 2 CCTV",
    course_date: "2030-01-07T09:00:00+00:00",
    end_date: null,
    capacity: 12,
    places_left: 9,
    status: "open",
  },
  name: "Ada Fell",
  email: "ada@mail.example",
  phone: "+44 7700 900123",
  company: "Moor & Sons",
  places: 2,
  payment_status: "due",
  payment_method: null,
  note: "Needs step-free access",
  status: "active",
  created_at: "2029-12-01T09:00:00+00:00",
  updated_at: "2029-12-01T09:00:00+00:00",
  updated_by: null,
  enquiry_id: null,
};

test.each<[Narrowed, boolean]>([
  [{}, true],
  [{ words: "  " }, true],
  [{ words: "fell ADA" }, true],
  [{ words: "moor cctv" }, true],
  [{ words: "step-free" }, true],
  [{ words: "7700900 123" }, true],
  [{ words: "ada grove" }, false],
  [{ words: "0123456" }, false],
  [{ status: "active", payment: "due" }, true],
  [{ status: "cancelled" }, false],
  [{ payment: "paid" }, false],
])("the filter %j keeps it: %j", (filter, kept) => {
  expect(narrow([booking], bookingFilter, filter)).toEqual(kept ? [booking] : []);
});
