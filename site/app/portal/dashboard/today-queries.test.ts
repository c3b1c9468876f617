import { openTestPglite } from "backend/test/database.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openProject, type Project } from "../../../test/support/project.ts";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { loadToday } from "./today-queries.ts";

/** A Wednesday. */
const NOW = Date.parse("2031-01-15T12:00:00Z");

let project: Project;
let staff: BrowserSupabase;

beforeAll(async () => {
  project = await openProject(openTestPglite);
  staff = (await project.staff("jo@site.example")).client;
});
afterAll(() => project.database.close());
beforeEach(async () => {
  for (const table of ["bookings", "waiting_list", "course_dates", "enquiries"])
    await project.service.from(table).delete().not("id", "is", null);
});

/** Adds a course date and the bookings of these people. */
async function addDate(description: string, values: object, unpaid: readonly string[] = []): Promise<void> {
  const date = { course_name: "Lvl 2 CCTV", course_date: "2031-01-16T09:00:00Z", capacity: 12, description };
  const { data, error } = await project.service
    .from("course_dates")
    .insert({ ...date, ...values })
    .select("id")
    .single();
  if (error) throw error;
  for (const name of unpaid) {
    const booked = await project.service.from("bookings").insert({ course_id: data.id, name });
    if (booked.error) throw booked.error;
  }
}

/** The descriptions of dates, by their ids. */
async function named(part: { ok: true; rows: readonly { id: string }[]; total: number } | { ok: false }): Promise<string[]> {
  if (!part.ok) return ["failed"];
  const { data } = await project.service.from("course_dates").select("id, description");
  const names = new Map(data?.map(({ id, description }) => [id, description]));
  return part.rows.map(({ id }) => names.get(id));
}

test("the next seven days list the dates that run in them, also those that began before, with their active bookings", async () => {
  const began = { course_date: "2031-01-13T09:00:00Z" };
  await addDate("one day, on Monday", { ...began, course_name: "Manual Handling" });
  await addDate("three days from Monday", began, ["Ada"]);
  await addDate("until Tuesday", { ...began, end_date: "2031-01-14" });
  await addDate("long over", { course_date: "2030-11-25T09:00:00Z" });
  await addDate("on Tuesday evening", { course_date: "2031-01-21T19:00:00Z" }, ["Ben", "Cleo"]);
  await addDate("in a week", { course_date: "2031-01-22T09:00:00Z" });
  await project.service.from("bookings").update({ status: "cancelled" }).eq("name", "Cleo");
  const days = await loadToday(staff, NOW).days;
  expect(await named(days)).toEqual(["three days from Monday", "on Tuesday evening"]);
  expect(days).toMatchObject({
    ok: true,
    total: 2,
    rows: [{ bookings: [{ name: "Ada", payment_status: "due" }] }, { bookings: [{ name: "Ben" }] }],
  });
});

test("the first person who waits for a free place is listed with a phone number, not those of full or past dates", async () => {
  await addDate("free", {});
  await addDate("full", { capacity: 1 }, ["Ada"]);
  await addDate("past", { course_date: "2031-01-14T09:00:00Z" });
  const { data: dates } = await project.service.from("course_dates").select("id, description");
  for (const { id, description } of dates ?? [])
    for (const order of ["first", "second"]) {
      const entry = { course_id: id, name: `${description}, ${order}`, phone: `07700 900${order.length}0${dates?.length}` };
      expect((await project.service.from("waiting_list").insert(entry)).error).toBeNull();
    }
  const part = await loadToday(staff, NOW).waiting;
  expect(part.ok && part.rows.map(({ name, contact }) => [name, contact])).toEqual([["free, first", "07700 900503"]]);
});

test("a date that is exactly half full is not under half full", async () => {
  await addDate("5 of 12", {}, ["a", "b", "c", "d", "e"]);
  await addDate("6 of 12", {}, ["a", "b", "c", "d", "e", "f"]);
  await addDate("5 of 11", { capacity: 11 }, ["a", "b", "c", "d", "e"]);
  await addDate("empty", {});
  await addDate("cancelled", { status: "cancelled" });
  await addDate("confirmed", { status: "confirmed" });
  await addDate("in a fortnight", { course_date: "2031-01-29T13:00:00Z" });
  const part = await loadToday(staff, NOW).halfEmpty;
  expect((await named(part)).toSorted()).toEqual(["5 of 11", "5 of 12", "empty"]);
});

test("unpaid bookings of any age are listed one by one up to five, and all are counted", async () => {
  const names = ["Ada", "Ben", "Cleo", "Dan"];
  await addDate("first", {}, names);
  await addDate("second", { course_date: "2031-01-17T09:00:00Z" }, names);
  await addDate("a year ago", { course_date: "2030-01-15T09:00:00Z" }, ["Eve"]);
  await addDate("cancelled", {}, ["Fay"]);
  await project.service.from("course_dates").update({ status: "cancelled" }).eq("description", "cancelled");
  const paid = { payment_status: "paid", payment_method: "cash" };
  expect((await project.service.from("bookings").update(paid).eq("name", "Dan")).error).toBeNull();
  const part = await loadToday(staff, NOW).unpaid;
  expect(
    part.ok && [
      part.total,
      part.rows.length,
      part.rows
        .slice(0, 4)
        .map(({ name }) => name)
        .toSorted(),
    ],
  ).toEqual([7, 5, ["Ada", "Ben", "Cleo", "Eve"]]);
});

test("new enquiries are listed with the newest first", async () => {
  for (const name of ["Old", "New", "Closed"])
    await project.service.from("enquiries").insert({ name, reply_to: "ada@mail.example", message: "When?" });
  await project.service.from("enquiries").update({ status: "closed" }).eq("name", "Closed");
  const part = await loadToday(staff, NOW).enquiries;
  expect(part.ok && [part.total, part.rows.map(({ name }) => name)]).toEqual([2, ["New", "Old"]]);
});

test("an error in one part does not affect the others", async () => {
  await addDate("tomorrow", {});
  await project.database.transaction((tx) => tx.script("revoke select on public.enquiries from authenticated"));
  const { days, enquiries } = loadToday(staff, NOW);
  expect(await enquiries).toEqual({ ok: false, message: "permission denied for table enquiries" });
  expect(await days).toMatchObject({ ok: true, total: 1 });
  await project.database.transaction((tx) => tx.script("grant select on public.enquiries to authenticated"));
});
