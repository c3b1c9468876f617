import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, expect, test } from "vitest";
import { openStaffProject, type StaffProject } from "../support/staff-project.ts";

describeDatabases("booking a request for places", (open) => {
  let own: StaffProject;
  beforeAll(async () => {
    own = await openStaffProject(open);
  });

  async function request(course_id: string, values: object = {}): Promise<{ id: string; updated_at: string }> {
    const row = {
      name: "Ada",
      reply_to: "ada@mail.example",
      phone: "07700 900 123",
      message: "My firm pays.",
      places: 2,
      request: "place",
    };
    const { data, error } = await own.project.service
      .from("enquiries")
      .insert({ ...row, course_id, ...values })
      .select("id, updated_at")
      .single();
    if (error) throw error;
    return data;
  }

  const book = ({ id, updated_at }: { id: string; updated_at: string }) => own.staff.rpc("book_request", { enquiry: id, seen: updated_at });

  async function bookingsOf(date: string): Promise<unknown> {
    const { data } = await own.staff.from("bookings").select("name, email, phone, places, note, enquiry_id").eq("course_id", date);
    return data;
  }

  test.each([
    ["e-mail and phone", {}, { email: "ada@mail.example", phone: "07700 900 123", note: "My firm pays." }],
    ["a phone number only", { reply_to: "01632 960 900", phone: null, message: "" }, { email: null, phone: "01632 960 900", note: null }],
  ])("books the places with the input of a visitor with %s and marks the enquiry as booked", async (_what, values, contact) => {
    const date = await own.addDate();
    const enquiry = await request(date, values);
    expect((await book(enquiry)).error).toBeNull();
    expect(await bookingsOf(date)).toEqual([{ name: "Ada", places: 2, enquiry_id: enquiry.id, ...contact }]);
    const { data } = await own.staff.from("enquiries").select("status").eq("id", enquiry.id).single();
    expect(data).toEqual({ status: "booked" });
  });

  test("only one of many concurrent clicks books", async () => {
    const date = await own.addDate({ capacity: 40 });
    const enquiry = await request(date);
    const answers = await Promise.all(Array.from({ length: 10 }, () => book(enquiry)));
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
    expect(await bookingsOf(date)).toHaveLength(1);
  });

  test("is refused if somebody changed the enquiry since the list was read", async () => {
    const date = await own.addDate();
    const enquiry = await request(date);
    await own.staff.from("enquiries").update({ note: "Cannot come after all", status: "closed" }).eq("id", enquiry.id);
    expect((await book(enquiry)).error?.code).toBe("PT412");
    expect((await own.staff.rpc("book_request", { enquiry: enquiry.id, seen: null })).error?.code).toBe("PT412");
    expect(await bookingsOf(date)).toEqual([]);
  });

  test("is refused without enough places, and the enquiry stays new", async () => {
    const date = await own.addDate({ capacity: 1 });
    const enquiry = await request(date);
    expect((await book(enquiry)).error).toMatchObject({ code: "PT409", details: "1" });
    const { data } = await own.staff.from("enquiries").select("status").eq("id", enquiry.id).single();
    expect(data).toEqual({ status: "new" });
  });

  test("is refused if the date was cancelled or deleted", async () => {
    const cancelled = await own.addDate();
    const first = await request(cancelled);
    await own.staff.from("course_dates").update({ status: "cancelled" }).eq("id", cancelled);
    expect((await book(first)).error?.code).toBe("PT410");
    const deleted = await own.addDate();
    const second = await request(deleted);
    await own.remove("course_dates", deleted);
    const { data } = await own.staff.from("enquiries").select("updated_at").eq("id", second.id).single();
    expect((await book({ id: second.id, updated_at: data?.updated_at })).error?.code).toBe("PT404");
  });
});
