import { beforeEach, describe, expect, test } from "vitest";
import { waitingFields } from "../../app/portal/bookings/fields.ts";
import { bookWaiting, moveWaiting, saveWaiting, setCalled, withdrawWaiting } from "../../app/portal/bookings/waiting-list/queries.ts";
import { addWaiting } from "../../app/portal/bookings/waiting-list/add-waiting.ts";
import { waitingColumns } from "../../app/portal/bookings/waiting-list/columns.ts";
import { listWaiting, withNextToCall, type WaitingEntry } from "../../app/portal/bookings/waiting-list/waiting-list.ts";
import { formValues } from "../../app/portal/forms/fields.ts";
import { done, refused } from "../../app/portal/frame/outcome.ts";
import { startEdit } from "../../app/portal/records/save-record.ts";
import { formOf, portalProject } from "./portal-fixture.ts";

const project = portalProject();
let date: string;
beforeEach(async () => {
  await project().empty();
  date = await project().addDate({ capacity: 2 });
});

function filledIn(changes: Record<string, string> = {}): FormData {
  return formOf({ course_id: date, name: "Ada", places: "1", phone: "07700 900123", ...changes });
}

async function listed(): Promise<readonly WaitingEntry[]> {
  const answer = await listWaiting(project().staff, date);
  if (!answer.ok) throw new Error(answer.message);
  return answer.rows;
}

async function waiting(values: object = {}): Promise<WaitingEntry> {
  const id = await project().add("waiting_list", { course_id: date, name: "Ada", phone: "07700 900123", ...values });
  const entry = (await listed()).find((each) => each.id === id);
  if (!entry) throw new Error("The entry is not listed");
  return entry;
}

describe("adding an entry", () => {
  test("stores it at the end of the list", async () => {
    await waiting({ name: "Ben", phone: "07700 900456" });
    expect(await addWaiting(project().staff, filledIn())).toEqual({ ok: true, message: "Ada is on the waiting list." });
    expect((await listed()).map(({ name }) => name)).toEqual(["Ben", "Ada"]);
  });

  test.each([
    ["phone", { phone: "" }],
    ["phone", { phone: "call her" }],
    ["email", { email: "ada" }],
    ["name", { name: " " }],
    ["places", { places: "0" }],
    ["course_id", { course_id: "" }],
  ])("refuses a wrong %s at its field: %j", async (field, changes) => {
    expect(await addWaiting(project().staff, filledIn(changes))).toMatchObject({ ok: false, field });
  });

  test("accepts an e-mail address instead of a phone number", async () => {
    expect(await addWaiting(project().staff, filledIn({ phone: "", email: "ada@mail.example" }))).toMatchObject({ ok: true });
  });

  test("explains at the field why the date does not accept it", async () => {
    await waiting();
    expect(await addWaiting(project().staff, filledIn())).toMatchObject({ field: "phone", message: expect.stringMatching(/already/) });
    await project().staff.from("course_dates").update({ status: "cancelled" }).eq("id", date);
    expect(await addWaiting(project().staff, filledIn({ phone: "07700 900456" }))).toMatchObject({
      field: "course_id",
      message: expect.stringMatching(/cancelled/),
    });
    expect(await addWaiting(project().staff, filledIn({ course_id: "0d1f5f0e-7a55-4b7c-9f0a-3f2f3c1c9a01" }))).toMatchObject({
      field: "course_id",
      message: expect.stringMatching(/was deleted/),
    });
    expect(await addWaiting(project().project.visitor, filledIn())).toMatchObject({
      message: expect.stringMatching(/^Failed to add to the waiting list: /),
    });
  });
});

test("the CSV file has the London date and time of the course, and every id at the end", async () => {
  const row = await waiting({ email: "ada@mail.example", note: "Mornings" });
  const cells = waitingColumns.map(({ cell }) => cell(row));
  expect(cells.slice(0, 4)).toEqual(["Manual Handling", "2030-01-07", "09:00", row.position]);
  expect(cells).toEqual(expect.arrayContaining([row.name, row.places, "ada@mail.example", "Mornings", null]));
  expect(cells.slice(-3)).toEqual([row.id, row.course_id, row.updated_by]);
});

test("saving names the date that somebody else moved the entry to", async () => {
  const entry = await waiting();
  const later = await project().addDate({ course_date: "2030-02-07T09:00:00Z" });
  const form = formOf({ ...formValues(waitingFields, entry), places: "2" });
  await project().staff.from("waiting_list").update({ course_id: later }).eq("id", entry.id);
  const edit = startEdit(entry);
  expect((await saveWaiting(project().staff, edit, form)).message).toContain(
    "Date: Manual Handling, Mon 7 Jan 2030, 09:00, now Manual Handling, Thu 7 Feb 2030, 09:00.",
  );
  expect(await saveWaiting(project().staff, edit, form)).toMatchObject({ ok: true, message: "Entry of Ada saved." });
});

test("an entry is called, moved, booked and removed", async () => {
  const [ada, ben] = [await waiting(), await waiting({ name: "Ben", phone: "07700 900456" })];
  const now = Date.parse("2029-12-03T09:00:00Z");
  expect(await setCalled(project().staff, ada, true, now)).toEqual({ ok: true, message: "Ada was called." });
  expect(await listed()).toMatchObject([{ called_at: "2029-12-03T09:00:00+00:00" }, { called_at: null }]);
  expect(await setCalled(project().staff, ada, false, now)).toMatchObject({ ok: true });
  expect(await moveWaiting(project().staff, ben, true)).toEqual({ ok: true, message: "Ben moved up." });
  expect((await listed()).map(({ name }) => name)).toEqual(["Ben", "Ada"]);
  expect(await bookWaiting(project().staff, ada)).toMatchObject({ ok: true, message: expect.stringMatching(/^Booking added for Ada/) });
  expect(await withdrawWaiting(project().staff, ben)).toEqual({ ok: true, message: "Ben was removed from the waiting list." });
  expect(await listed()).toEqual([]);
});

test("the refusal of an action explains that the entry was removed or needs more places", async () => {
  const entry = await waiting({ places: 2 });
  await project().book(date);
  expect(await bookWaiting(project().staff, entry)).toMatchObject({
    ok: false,
    message: expect.stringContaining("Only 1 place is left on this date"),
  });
  await project().remove("waiting_list", entry.id);
  for (const outcome of [
    await setCalled(project().staff, entry, true, 0),
    await bookWaiting(project().staff, entry),
    await moveWaiting(project().staff, entry, true),
    await withdrawWaiting(project().staff, entry),
  ]) {
    expect(outcome.ok).toBe(false);
  }
  expect((await bookWaiting(project().staff, entry)).message).toContain("not on the waiting list any more");
});

describe("after a place was freed", () => {
  const freed = done("Booking cancelled.");

  test("the message names who is next to call, with a link where the list is not on screen", async () => {
    await waiting({ places: 3 });
    await waiting({ name: "Ben", phone: "07700 900456" });
    const message = "Booking cancelled. Next to call: Ben, 07700 900456, 1 place.";
    expect(await withNextToCall(project().staff, date, null, Promise.resolve(freed))).toEqual({
      ok: true,
      message,
      next: { to: `/admin/bookings?date=${date}`, label: "Show the waiting list" },
    });
    expect(await withNextToCall(project().staff, date, date, Promise.resolve(freed))).toEqual({ ok: true, message });
  });

  test("the outcome is unchanged if nobody waits, the list cannot be read or nothing was freed", async () => {
    expect(await withNextToCall(project().staff, date, null, Promise.resolve(freed))).toEqual(freed);
    await waiting();
    expect(await withNextToCall(project().project.visitor, date, null, Promise.resolve(freed))).toEqual(freed);
    expect(await withNextToCall(project().staff, date, null, Promise.resolve(refused("No.")))).toEqual(refused("No."));
  });
});
