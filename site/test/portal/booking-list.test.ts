import { beforeEach, expect, test } from "vitest";
import { listBookableDates } from "../../app/portal/bookable-dates/bookable-date.ts";
import { bookingColumns } from "../../app/portal/bookings/filter.ts";
import { findPeople, listBookings, type Scope } from "../../app/portal/bookings/queries.ts";
import { listedBookings, storedBooking } from "./bookings-fixture.ts";
import { portalProject } from "./portal-fixture.ts";

const project = portalProject();
let date: string;
beforeEach(async () => {
  await project().empty();
  date = await project().addDate();
});

async function namesIn(scope: Scope): Promise<string[]> {
  return (await listedBookings(project(), scope)).map(({ name }) => name);
}

test("bookings are listed by date and name, of one date, since a time or all", async () => {
  const later = await project().addDate({ course_date: "2030-02-07T09:00:00Z" });
  for (const [id, name] of [
    [later, "Ben"],
    [date, "Zoe"],
    [date, "Ada"],
  ] as const)
    await project().book(id, { name });
  expect(await namesIn("all")).toEqual(["Ada", "Zoe", "Ben"]);
  expect(await namesIn({ date })).toEqual(["Ada", "Zoe"]);
  expect(await namesIn({ since: "2030-02-01T00:00:00.000Z" })).toEqual(["Ben"]);
  expect(await namesIn({ before: "2030-02-01T00:00:00.000Z" })).toEqual(["Ada", "Zoe"]);
  expect(await namesIn({ before: "2030-03-01T00:00:00.000Z" })).toEqual(["Ben", "Ada", "Zoe"]);
});

test("bookings of the dates that run on the chosen days are listed, also in the middle of a course, not on its weekends", async () => {
  const long = await project().addDate({ course_date: "2030-02-06T09:00:00Z", end_date: "2030-02-13" });
  await project().book(long, { name: "Ada" });
  await project().book(await project().addDate({ course_date: "2030-02-11T23:30:00Z" }), { name: "Ben" });
  expect(await namesIn({ days: ["2030-02-05"] })).toEqual([]);
  expect(await namesIn({ days: ["2030-02-11"] })).toEqual(["Ada", "Ben"]);
  expect(await namesIn({ days: ["2030-02-09"] })).toEqual([]);
  expect(await namesIn({ days: ["2030-02-12", "2030-02-13", "2030-02-14"] })).toEqual(["Ada"]);
  expect(await namesIn({ days: ["2030-02-14"] })).toEqual([]);
});

test("unpaid bookings of dates that are not cancelled are listed, however old", async () => {
  const old = await project().addDate({ course_date: "2025-02-07T09:00:00Z" });
  const calledOff = await project().addDate({ course_date: "2030-02-07T09:00:00Z" });
  await project().book(old, { name: "Old" });
  await project().book(calledOff, { name: "Called off" });
  await project().staff.from("course_dates").update({ status: "cancelled" }).eq("id", calledOff);
  await project().book(date, { name: "Paid", payment_status: "paid", payment_method: "cash" });
  await project().book(date, { name: "Cancelled", status: "cancelled" });
  await project().book(date, { name: "Owes" });
  expect(await namesIn("unpaid")).toEqual(["Old", "Owes"]);
});

test("the bookable dates since a time are listed together with the selected one", async () => {
  const later = await project().addDate({ course_date: "2030-02-07T09:00:00Z" });
  const ids = async (scope: Parameters<typeof listBookableDates>[1]) => {
    const answer = await listBookableDates(project().staff, scope);
    return answer.ok && answer.rows.map(({ id }) => id);
  };
  expect(await ids({ since: "2030-02-01T00:00:00.000Z" })).toEqual([later]);
  expect(await ids({ since: "2030-02-01T00:00:00.000Z", id: date })).toEqual([date, later]);
});

test("the CSV file has the London date and time of the course, words instead of codes, and every id at the end", async () => {
  const summer = await project().addDate({ course_date: "2030-06-03T09:00:00Z" });
  const row = await storedBooking(project(), summer, { phone: "07700 900123", payment_status: "paid", payment_method: "bank_transfer" });
  const cells = bookingColumns.map(({ cell }) => cell(row));
  expect(cells.slice(0, 3)).toEqual(["Manual Handling", "2030-06-03", "10:00"]);
  expect(cells).toEqual(expect.arrayContaining([row.name, row.places, "07700 900123", "Paid", "Bank transfer", "Active"]));
  expect(cells.slice(-4)).toEqual([row.id, row.course_id, row.enquiry_id, row.updated_by]);
});

test("the error of the service is reported", async () => {
  expect(await listBookings(project().project.visitor, "all")).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^Error fetching bookings: /),
  });
});

test("people who booked before are found; a failed search finds nobody", async () => {
  await project().book(date, { name: "Ada Fell", phone: "07700 900123" });
  expect(await findPeople(project().staff, "fel")).toEqual([{ name: "Ada Fell", email: null, phone: "07700 900123", company: null }]);
  expect(await findPeople(project().project.visitor, "fel")).toEqual([]);
});
