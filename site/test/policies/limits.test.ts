import { describeDatabases } from "backend/test/database.ts";
import { LONGEST_MESSAGE, LONGEST_NAME, LONGEST_REPLY_TO, SHORTEST_REPLY_TO } from "content/enquiry-limits.ts";
import { beforeAll, expect, test } from "vitest";
import { openStaffProject, type StaffProject } from "../support/staff-project.ts";

const email = (length: number): string => `${"x".repeat(length - 13)}@mail.example`;
const text = (length: number): string => "x".repeat(length);
const phone = (length: number): string => "1".repeat(length);
const imageUrl = (length: number): string => `https://images.example/${"x".repeat(length - 23)}`;
const number = (value: number): number => value;

/** The longest (or largest) value of each column that staff edit, and how to make a value of that length. */
const LIMITS: readonly [table: string, column: string, limit: number, make: (length: number) => string | number][] = [
  ["course_dates", "description", 2000, text],
  ["bookings", "name", 120, text],
  ["bookings", "email", 254, email],
  ["bookings", "phone", 40, phone],
  ["bookings", "company", 120, text],
  ["bookings", "places", 999, number],
  ["bookings", "note", 2000, text],
  ["enquiries", "name", LONGEST_NAME, text],
  ["enquiries", "reply_to", LONGEST_REPLY_TO, text],
  ["enquiries", "message", LONGEST_MESSAGE, text],
  ["enquiries", "note", 2000, text],
  ["waiting_list", "name", 120, text],
  ["waiting_list", "email", 254, email],
  ["waiting_list", "phone", 40, phone],
  ["waiting_list", "places", 999, number],
  ["waiting_list", "note", 2000, text],
  ["blog_posts", "title", 200, text],
  ["blog_posts", "author", 120, text],
  ["blog_posts", "content", 200_000, text],
  ["blog_posts", "image_url", 2000, imageUrl],
  ["blog_posts", "slug", 220, text],
];

/** The values of columns with a fixed list. */
const CHOICES: readonly [table: string, column: string, values: readonly string[]][] = [
  ["course_dates", "status", ["open", "confirmed", "full", "cancelled", "postponed"]],
  ["bookings", "payment_status", ["due", "paid"]],
  ["bookings", "payment_method", ["cash", "card", "bank_transfer"]],
  ["bookings", "status", ["active", "cancelled"]],
  ["enquiries", "status", ["new", "called", "booked", "closed"]],
];

/** The smallest values. */
const LEAST: readonly [table: string, column: string, accepted: unknown, refused: unknown][] = [
  ["course_dates", "capacity", 1, 0],
  ["bookings", "places", 1, 0],
  ["bookings", "name", "x", " "],
  ["bookings", "company", "x", " "],
  ["waiting_list", "places", 1, 0],
  ["waiting_list", "created_at", "2000-01-01T00:00Z", "1999-12-31T23:59Z"],
  ["enquiries", "reply_to", "1".repeat(SHORTEST_REPLY_TO), "1".repeat(SHORTEST_REPLY_TO - 1)],
  ["blog_posts", "title", "x", " "],
];

describeDatabases("limits of columns", (open) => {
  let staffProject: StaffProject;
  beforeAll(async () => {
    staffProject = await openStaffProject(open);
  });

  /** Inserts a row with one value given; returns the error code, if any. */
  async function insert(table: string, column: string, value: unknown): Promise<string | undefined> {
    const course_id = await staffProject.addDate({ capacity: 2000 });
    const contact = { course_id, name: "Ada", phone: "01632 960 900", payment_method: "card" };
    const { payment_method: _unpaid, ...waiting } = contact;
    const rows: Record<string, object> = {
      course_dates: { course_name: "Manual Handling", course_date: "2030-01-07T09:00:00Z" },
      bookings: contact,
      enquiries: { name: "Ada", reply_to: "ada@mail.example", message: "When?" },
      waiting_list: waiting,
      blog_posts: { title: "News", content: "Words", author: "Jo", slug: `p-${crypto.randomUUID()}` },
    };
    // By the service, because staff may not insert some columns.
    const { error } = await staffProject.project.service.from(table).insert({ ...rows[table], [column]: value });
    return error?.code;
  }

  test.each(LIMITS)("%s.%s accepts %i and no more", async (table, column, limit, make) => {
    expect(await insert(table, column, make(limit))).toBeUndefined();
    expect(await insert(table, column, make(limit + 1))).toBe("23514");
  });

  test.each(CHOICES)("%s.%s accepts %j and nothing else", async (table, column, values) => {
    for (const value of values) expect(await insert(table, column, value), value).toBeUndefined();
    expect(await insert(table, column, "maybe")).toBe("23514");
  });

  test.each(LEAST)("%s.%s accepts %j and refuses %j", async (table, column, accepted, refused) => {
    expect(await insert(table, column, accepted)).toBeUndefined();
    expect(await insert(table, column, refused)).toBe("23514");
  });

  test("a course date has 12 places unless staff say otherwise", async () => {
    const id = await staffProject.add("course_dates", { course_name: "Manual Handling", course_date: "2030-01-07T09:00:00Z" });
    const { data } = await staffProject.staff.from("course_dates").select("capacity").eq("id", id).single();
    expect(data).toEqual({ capacity: 12 });
  });
});
