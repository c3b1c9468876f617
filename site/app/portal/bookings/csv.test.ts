import { expect, test } from "vitest";
import { csvOf } from "../lists/csv.ts";
import { bookingColumns } from "./csv.ts";
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
  name: "Ada",
  email: "ada@mail.example",
  phone: null,
  company: null,
  places: 2,
  payment_status: "paid",
  payment_method: "card",
  note: null,
  status: "active",
  created_at: "2029-12-01T09:00:00+00:00",
  updated_at: "2029-12-02T09:00:00+00:00",
  updated_by: "u1",
  enquiry_id: "e1",
};

const lines = (changes: Partial<Booking>): string[] => csvOf(bookingColumns, [{ ...booking, ...changes }]).split("\r\n");

test("every column of every booking is in it, under its heading, after the mark Excel looks for", () => {
  const [head, row, end] = lines({});
  expect(head).toBe(
    "\uFEFFBooking,Course,Starts,Course date,Name,E-mail,Phone,Company,Places,Status,Payment,Paid by,Note,Booked,Changed,Changed by,Enquiry",
  );
  expect(row).toBe(
    "b1,Lvl 2 CCTV,2030-01-07T09:00:00+00:00,d1,Ada,ada@mail.example,,,2,active,paid,card,,2029-12-01T09:00:00+00:00,2029-12-02T09:00:00+00:00,u1,e1",
  );
  expect(end).toBe("");
});

test("every field of a booking has a column", () => {
  const {
    course_dates: { course_name, course_date },
    ...own
  } = booking;
  const written = csvOf(bookingColumns, [booking])
    .trim()
    .split(/[\r\n,]+/);
  const held = [...Object.values(own), course_name, course_date].filter((value) => value !== null).map(String);
  expect(written).toEqual(expect.arrayContaining(held));
});

test.each([
  ["=1+1", "'=1+1"],
  ["+447700900123", "'+447700900123"],
  ["-2", "'-2"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  [" =1", "' =1"],
  ['=HYPERLINK("http://x.example","y")', `"'=HYPERLINK(""http://x.example"",""y"")"`],
  ["Fell, Moor & Sons", '"Fell, Moor & Sons"'],
  ['the "old" hall', '"the ""old"" hall"'],
])("the text %j is written as %j", (company, written) => {
  expect(csvOf(bookingColumns, [{ ...booking, company }])).toContain(`,${written},2,`);
});

test("a line break stays within its cell", () => {
  expect(csvOf(bookingColumns, [{ ...booking, note: "one\ntwo" }])).toContain('card,"one\ntwo",2029');
});
