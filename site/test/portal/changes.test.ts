import { beforeEach, expect, test } from "vitest";
import { listChanges } from "../../app/portal/history/queries.ts";
import { listPeople } from "../../app/portal/lists/people.ts";
import { valueInWords, type Change } from "../../app/portal/history/change.ts";
import { readScope } from "../../app/portal/changes/scope.ts";
import { undoDelete } from "../../app/portal/records/undo.ts";
import { EMAIL } from "../support/staff-project.ts";
import { portalProject } from "./portal-fixture.ts";

const project = portalProject();
let date: string;
beforeEach(async () => {
  await project().empty();
  date = await project().addDate();
});

const everything = readScope(new URLSearchParams());

async function changes(scope: Partial<typeof everything> = {}): Promise<readonly Change[]> {
  const answer = await listChanges(project().staff, { ...everything, ...scope });
  if (!answer.ok) throw new Error(answer.message);
  return answer.rows;
}

test("lists the changes of a scope, the latest first", async () => {
  const id = await project().book(date);
  await project().project.service.from("bookings").update({ note: "Lift" }).eq("id", id);
  const acts = async (scope: Partial<typeof everything>) => (await changes(scope)).map(({ kind, act }) => `${kind} ${act}`);
  expect(await acts({})).toEqual(["bookings update", "bookings insert", "course_dates insert"]);
  expect(await acts({ kind: "course_dates" })).toEqual(["course_dates insert"]);
  expect(await acts({ record: id })).toEqual(["bookings update", "bookings insert"]);
  expect(await acts({ who: EMAIL })).toEqual(["bookings insert", "course_dates insert"]);
  expect(await acts({ who: "service" })).toEqual(["bookings update"]);
});

test("a day of the scope begins and ends at midnight in London", async () => {
  await project().sql("update public.changes set at = '2030-10-27T23:30:00Z'");
  // The clocks go back on the 27th, so that day ends an hour later.
  expect(await changes({ from: "2030-10-27", to: "2030-10-27" })).toHaveLength(1);
  expect(await changes({ to: "2030-10-26" })).toHaveLength(0);
  await project().sql("update public.changes set at = '2030-10-26T23:00:00Z'");
  expect(await changes({ from: "2030-10-27" })).toHaveLength(1);
  expect(await changes({ to: "2030-10-26" })).toHaveLength(0);
});

test("names the dates a booking was moved between, also a deleted one", async () => {
  const later = await project().addDate({ course_date: "2030-07-01T08:00:00Z" });
  const id = await project().book(date);
  await project().staff.from("bookings").update({ course_id: later }).eq("id", id);
  await project().remove("course_dates", date);
  const [change] = await changes({ record: id });
  const shown = [change?.before, change?.after].map((values) =>
    valueInWords("course_id", values?.["course_id"], change?.names ?? new Map()),
  );
  expect(shown).toEqual(["Manual Handling, 7 Jan 2030, 09:00 (deleted)", "Manual Handling, 1 Jul 2030, 09:00"]);
});

test("lists the people with an account; a failed request is an error", async () => {
  expect(await listPeople(project().staff)).toMatchObject({ ok: true, rows: [{ email: EMAIL, name: "" }] });
  expect(await listPeople(project().project.visitor)).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^Error fetching staff: /),
  });
  expect(await listChanges(project().project.visitor, everything)).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^Error fetching changes: /),
  });
});

test("undo restores a deleted record, or explains why not and at which field", async () => {
  const undo = (kind: Parameters<typeof undoDelete>[1], id: string, instead = {}) => undoDelete(project().staff, kind, id, instead);
  const id = await project().book(date);
  await project().remove("bookings", id);
  expect(await undo("bookings", id)).toMatchObject({ ok: true });
  expect(await undo("bookings", id)).toMatchObject({
    ok: false,
    message: "It was already restored.",
    next: { to: `/admin/changes?record=${id}` },
  });
  await project().remove("bookings", id);
  await project().remove("course_dates", date);
  expect(await undo("bookings", id)).toMatchObject({ ok: false, field: "onto", message: expect.stringMatching(/Restore the date first/) });
  const full = await project().addDate({ capacity: 1 });
  await project().book(full);
  expect(await undo("bookings", id, { onto: full })).toMatchObject({ field: "onto", message: expect.stringMatching(/no places left/) });
  const cancelled = await project().addDate({ status: "cancelled" });
  expect(await undo("bookings", id, { onto: cancelled })).toMatchObject({ field: "onto", message: expect.stringMatching(/is cancelled/) });
  expect(await undo("course_dates", date)).toEqual({ ok: true, message: "Course restored." });
  expect(await undo("bookings", id)).toEqual({ ok: true, message: "Booking restored." });
  const post = await project().publish();
  await project().remove("blog_posts", post);
  await project().publish();
  expect(await undo("blog_posts", post)).toMatchObject({ field: "address" });
  await project().remove("bookings", id);
  await project().age("31 days");
  expect(await undo("bookings", id)).toMatchObject({ ok: false, message: expect.stringMatching(/more than 30 days ago/) });
});
