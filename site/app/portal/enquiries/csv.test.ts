import { expect, test } from "vitest";
import { csvOf } from "../lists/csv.ts";
import { narrow } from "../lists/list-filter.ts";
import { enquiryColumns } from "./csv.ts";
import { enquiryFilter } from "./enquiry-filter.ts";
import type { Enquiry } from "./schema.ts";

const enquiry: Enquiry = {
  id: "e1",
  name: "Ada",
  reply_to: "+44 (0)7700 900-123",
  course_name: "Lvl 2 CCTV",
  message: "When?\nAnd where?",
  status: "booked",
  note: "Rings back",
  created_at: "2029-12-01T09:00:00+00:00",
  updated_at: "2029-12-02T09:00:00+00:00",
  updated_by: "u1",
  bookings: [
    { id: "b1", course_id: "d1", course_dates: { course_name: "Lvl 2 CCTV", course_date: "2030-01-07T09:00:00+00:00" } },
    { id: "b2", course_id: "d2", course_dates: { course_name: "Lvl 2 CCTV", course_date: "2030-02-07T09:00:00+00:00" } },
  ],
};

test("a file holds every column of every enquiry, and what a visitor wrote is no formula", () => {
  const [head, ...rows] = csvOf(enquiryColumns, [enquiry, { ...enquiry, id: "e2", message: "=1+1" }]).split("\r\n");
  expect(head).toBe("\uFEFFEnquiry,Received,Name,E-mail or phone,Course,Question,Status,Note,Bookings,Changed,Changed by");
  expect(rows[0]).toBe(
    `e1,2029-12-01T09:00:00+00:00,Ada,'+44 (0)7700 900-123,Lvl 2 CCTV,"When?\nAnd where?",booked,Rings back,b1 b2,2029-12-02T09:00:00+00:00,u1`,
  );
  expect(rows[1]).toContain(",'=1+1,");
});

test.each([
  [{ words: "ada cctv" }, 1],
  [{ words: "07700 900" }, 1],
  [{ words: "where back" }, 1],
  [{ words: "nobody" }, 0],
  [{ status: "booked" }, 1],
  [{ status: "new" }, 0],
])("narrowed to %j it is listed %i time(s)", (narrowed, times) => {
  expect(narrow([enquiry], enquiryFilter, narrowed)).toHaveLength(times);
});
