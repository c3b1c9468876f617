import { beforeEach, describe, expect, test } from "vitest";
import { bookingFields, waitingFields } from "../../app/portal/bookings/fields.ts";
import { saveBooking } from "../../app/portal/bookings/save-booking.ts";
import { saveWaiting } from "../../app/portal/bookings/waiting-list/queries.ts";
import { listWaiting } from "../../app/portal/bookings/waiting-list/waiting-list.ts";
import { handlingFields } from "../../app/portal/enquiries/fields.ts";
import { readEnquiry, saveEnquiry } from "../../app/portal/enquiries/queries.ts";
import { formValues } from "../../app/portal/forms/fields.ts";
import { rowOf, type Outcome } from "../../app/portal/frame/outcome.ts";
import { startEdit } from "../../app/portal/records/save-record.ts";
import { storedBooking } from "./bookings-fixture.ts";
import { formOf, portalProject } from "./portal-fixture.ts";

const project = portalProject();
let date: string;
beforeEach(async () => {
  await project().empty();
  date = await project().addDate({ capacity: 4 });
});

const NOTE = { note: "Vegetarian" };

/** Opens the form of a new record of each kind on the course date; the returned function saves it with a note. */
const opened: Record<string, () => Promise<{ id: string; save: () => Promise<Outcome> }>> = {
  async booking() {
    const row = await storedBooking(project(), date);
    const edit = startEdit(row);
    return { id: row.id, save: () => saveBooking(project().staff, edit, formOf({ ...formValues(bookingFields, row), ...NOTE })) };
  },
  async entry() {
    const id = await project().add("waiting_list", { course_id: date, name: "Ada", phone: "07700 900123" });
    const row = (await rowOf(listWaiting(project().staff, date), id)) ?? expect.fail();
    const edit = startEdit(row);
    return { id, save: () => saveWaiting(project().staff, edit, formOf({ ...formValues(waitingFields, row), ...NOTE })) };
  },
  async enquiry() {
    const asked = { name: "Ada", reply_to: "07700 900123", message: "Two places", course_name: "Lvl 2 CCTV" };
    const id = await project().add("enquiries", { ...asked, course_id: date, places: 2, request: "place" }, project().project.service);
    const row = (await rowOf(readEnquiry(project().staff, id), id)) ?? expect.fail();
    const edit = startEdit(row);
    return { id, save: () => saveEnquiry(project().staff, edit, formOf({ ...formValues(handlingFields, row), ...NOTE })) };
  },
};
const TABLES: Record<string, string> = { booking: "bookings", entry: "waiting_list", enquiry: "enquiries" };

function setDate(values: object): PromiseLike<unknown> {
  return project().staff.from("course_dates").update(values).eq("id", date).throwOnError();
}

describe.each(Object.entries(opened))("the save of one %s", (noun, open) => {
  async function note(id: string): Promise<unknown> {
    const { data } = await project()
      .staff.from(TABLES[noun] ?? "")
      .select("note")
      .eq("id", id)
      .single();
    return data;
  }

  test.each([
    [{ status: "cancelled" }, "takes place, now called off"],
    [{ status: "postponed" }, "takes place, now postponed"],
  ])("mentions first that its course date does not take place as planned: %j", async (change, words) => {
    const { id, save } = await open();
    await setDate(change);
    expect(await save()).toEqual({
      ok: false,
      message: `Somebody else changed this ${noun} while you were editing it. Course date: ${words}. Nothing was overwritten. Save again to add your changes.`,
    });
    expect(await note(id)).toEqual({ note: null });
    expect(await save()).toMatchObject({ ok: true });
    expect(await note(id)).toEqual(NOTE);
  });

  test("is done at once after changes of its course date that mean the same for it", async () => {
    const { id, save } = await open();
    await setDate({ status: "confirmed", capacity: 9, description: "Bring boots" });
    expect(await save()).toMatchObject({ ok: true });
    expect(await note(id)).toEqual(NOTE);
  });
});

test.each([
  ["booking", { status: "cancelled" }, "Status: Active, now Cancelled."],
  ["enquiry", { status: "closed" }, "Status: New, now Closed."],
])("a %s that was ended meanwhile is not saved before its person knows: %j", async (noun, values, words) => {
  const { id, save } = await (opened[noun] ?? expect.fail())();
  await project()
    .staff.from(TABLES[noun] ?? "")
    .update(values)
    .eq("id", id)
    .throwOnError();
  expect((await save()).message).toContain(words);
  expect(await save()).toMatchObject({ ok: true });
});

test("the save of an enquiry mentions first that its course date was deleted", async () => {
  const { save } = await (opened["enquiry"] ?? expect.fail())();
  await project().remove("course_dates", date);
  expect((await save()).message).toContain("Course date: takes place, now deleted.");
  expect(await save()).toMatchObject({ ok: true });
});

test("an entry is saved at once after a colleague called its person", async () => {
  const { id, save } = await (opened["entry"] ?? expect.fail())();
  await project().staff.from("waiting_list").update({ called_at: "2026-11-20T09:00:00Z" }).eq("id", id).throwOnError();
  expect(await save()).toMatchObject({ ok: true });
});
