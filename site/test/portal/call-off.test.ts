import { beforeEach, expect, test } from "vitest";
import { listBookableDates, type BookableDate } from "../../app/portal/bookable-dates/bookable-date.ts";
import { callOff } from "../../app/portal/bookings/call-off/queries.ts";
import { portalProject, rowOf } from "./portal-fixture.ts";

const project = portalProject();
let date: string;
let other: string;
beforeEach(async () => {
  await project().empty();
  date = await project().addDate({ capacity: 6, status: "confirmed" });
  other = await project().addDate({ capacity: 3, course_date: "2030-02-07T09:00:00Z" });
});

async function bookable(id: string): Promise<BookableDate> {
  const dates = await listBookableDates(project().staff, { id });
  const found = dates.ok && dates.rows[0];
  if (!found) throw new Error("The date is not listed");
  return found;
}

async function statusOf(id: string): Promise<string> {
  return (await rowOf<{ status: string }>(project(), "course_dates", id)).status;
}

async function dateOf(bookingId: string): Promise<string> {
  return (await rowOf<{ course_id: string }>(project(), "bookings", bookingId)).course_id;
}

test("calling off moves the active bookings and cancels the date; the undo reverses both", async () => {
  const ada = await project().book(date, { name: "Ada", places: 2 });
  const ben = await project().book(date, { name: "Ben", status: "cancelled" });
  const outcome = await callOff(project().staff, await bookable(date), await bookable(other));
  expect(outcome).toMatchObject({ ok: true, message: expect.stringMatching(/is called off\. 1 booking moved to .*7 Feb 2030/) });
  expect([await statusOf(date), await dateOf(ada), await dateOf(ben)]).toEqual(["cancelled", other, date]);
  const undone = outcome.ok && (await outcome.undo?.());
  expect(undone).toMatchObject({ ok: true, message: expect.stringMatching(/1 booking moved back/) });
  expect([await statusOf(date), await dateOf(ada)]).toEqual(["confirmed", date]);
});

test("bookings stay on record if they are not moved", async () => {
  const ada = await project().book(date, { name: "Ada" });
  expect(await callOff(project().staff, await bookable(date), undefined)).toMatchObject({ ok: true });
  expect([await statusOf(date), await dateOf(ada)]).toEqual(["cancelled", date]);
  const again = await callOff(project().staff, await bookable(date), undefined);
  expect(again).toMatchObject({ ok: false, message: "Somebody else changed the status of this date. Nothing was changed." });
});

test("nothing changes if the other date has too few places, is cancelled, of another course or deleted", async () => {
  const ada = await project().book(date, { name: "Ada", places: 4 });
  const cancelled = await project().addDate({ course_date: "2030-02-14T09:00:00Z", status: "cancelled" });
  const another = await project().addDate({ course_name: "Lvl 2 CCTV", course_date: "2030-03-07T09:00:00Z" });
  const deleted = await bookable(await project().addDate({ course_date: "2030-04-11T09:00:00Z" }));
  await project().remove("course_dates", deleted.id);
  for (const target of [await bookable(other), await bookable(cancelled), await bookable(another), deleted]) {
    expect(await callOff(project().staff, await bookable(date), target)).toMatchObject({ ok: false, field: "target", stale: true });
    expect([await statusOf(date), await dateOf(ada)]).toEqual(["confirmed", date]);
  }
});
