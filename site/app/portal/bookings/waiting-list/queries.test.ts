import { describe, expect, test } from "vitest";
import { startEdit } from "../../records/save-record.ts";
import { refusal, scriptedClient } from "../../wire-fixture.ts";
import type { WaitingEntry } from "./waiting-list.ts";
import { addWaiting, bookWaiting, moveWaiting, saveWaiting, setCalled, withdrawWaiting } from "./queries.ts";

const ID = "0d1f5f0e-7a55-4b7c-9f0a-3f2f3c1c9a01";
const EMBED = "*,course_dates(course_name,course_date)";
const none = { status: 200, body: [] };

const entry: WaitingEntry = {
  id: ID,
  course_id: "d1",
  course_dates: { course_name: "Lvl 2 CCTV", course_date: "2030-01-07T09:00:00+00:00" },
  name: "Ada",
  email: null,
  phone: "07700 900 123",
  places: 1,
  note: null,
  position: 1,
  called_at: null,
  created_at: "2029-12-01T09:00:00+00:00",
  updated_at: "2029-12-01T09:00:00+00:00",
  updated_by: null,
};

function filledIn(changes: Record<string, string> = {}): FormData {
  const form = new FormData();
  const values = { course_id: "d1", name: "Ada", places: "1", phone: "07700 900 123", ...changes };
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}

describe("adding somebody", () => {
  test("sends who waits for what", async () => {
    const { supabase, asked } = scriptedClient([{ status: 201 }]);
    expect(await addWaiting(supabase, filledIn())).toEqual({ ok: true, message: "Ada is on the waiting list." });
    expect(asked).toEqual([
      'POST /rest/v1/waiting_list {"course_id":"d1","name":"Ada","email":null,"phone":"07700 900 123","places":1,"note":null}',
    ]);
  });

  test.each([
    ["phone", { phone: "" }],
    ["phone", { phone: "ask her" }],
    ["email", { email: "ada" }],
    ["name", { name: " " }],
    ["places", { places: "0" }],
    ["course_id", { course_id: "" }],
  ])("refuses a wrong %s at its field before it asks: %j", async (field, changes) => {
    const { supabase } = scriptedClient([]);
    expect(await addWaiting(supabase, filledIn(changes))).toMatchObject({ ok: false, field });
  });

  test("takes an e-mail address in place of a phone number", async () => {
    const { supabase } = scriptedClient([{ status: 201 }]);
    expect(await addWaiting(supabase, filledIn({ phone: "", email: "ada@mail.example" }))).toMatchObject({ ok: true });
  });

  test.each([
    ["23505", "phone", /already/],
    ["PT410", "course_id", /cancelled/],
    ["23503", "course_id", /deleted meanwhile/],
    ["42501", undefined, /^Failed to add to the waiting list: refused$/],
  ])("explains %s at its field", async (code, field, message) => {
    const { supabase } = scriptedClient([refusal(409, code, "refused")]);
    const outcome = await addWaiting(supabase, filledIn());
    expect(outcome).toMatchObject({ ok: false, message: expect.stringMatching(message), ...(field === undefined ? {} : { field }) });
  });
});

test("saving sends what was changed, for the row as it was seen, and names the date somebody else moved it to", async () => {
  const moved = {
    ...entry,
    course_id: "d2",
    course_dates: { ...entry.course_dates, course_date: "2030-02-07T09:00:00+00:00" },
    updated_at: "2029-12-01T10:00:00+00:00",
  };
  const { supabase, asked } = scriptedClient([{ status: 200, body: [entry] }, none, { status: 200, body: [moved] }]);
  expect(await saveWaiting(supabase, startEdit(entry), filledIn({ places: "2" }))).toEqual({ ok: true, message: "Entry of Ada saved." });
  expect(asked).toEqual([`PATCH /rest/v1/waiting_list?id=eq.${ID}&updated_at=eq.2029-12-01T09:00:00+00:00&select=${EMBED} {"places":2}`]);
  expect(await saveWaiting(supabase, startEdit(entry), filledIn({ places: "2" }))).toMatchObject({
    ok: false,
    message: expect.stringContaining("Date: Lvl 2 CCTV, Mon 7 Jan 2030, 09:00, now Lvl 2 CCTV, Thu 7 Feb 2030, 09:00."),
  });
});

test("somebody is called and not called, booked, moved and withdrawn, each in one request", async () => {
  const one = { status: 200, body: [{ id: ID }] };
  const { supabase, asked } = scriptedClient([one, one, { status: 200, body: "b1" }, { status: 204 }, one]);
  const now = Date.parse("2029-12-03T09:00:00Z");
  expect(await setCalled(supabase, entry, true, now)).toEqual({ ok: true, message: "Ada was called." });
  expect(await setCalled(supabase, entry, false, now)).toEqual({ ok: true, message: "Ada is to be called." });
  expect(await bookWaiting(supabase, entry)).toEqual({ ok: true, message: "Booking added for Ada, who is off the waiting list." });
  expect(await moveWaiting(supabase, entry, true)).toEqual({ ok: true, message: "Ada moved up." });
  expect(await withdrawWaiting(supabase, entry)).toEqual({ ok: true, message: "Ada is off the waiting list." });
  expect(asked).toEqual([
    `PATCH /rest/v1/waiting_list?id=eq.${ID}&select=id {"called_at":"2029-12-03T09:00:00.000Z"}`,
    `PATCH /rest/v1/waiting_list?id=eq.${ID}&select=id {"called_at":null}`,
    `POST /rest/v1/rpc/book_waiting {"entry":"${ID}"}`,
    `POST /rest/v1/rpc/move_waiting {"entry":"${ID}","up":true}`,
    `DELETE /rest/v1/waiting_list?id=eq.${ID}&select=id`,
  ]);
});

test("what did not happen is not claimed, and is explained", async () => {
  const full = { status: 409, body: { code: "PT409", message: "Not enough places", details: "1", hint: null } };
  const { supabase } = scriptedClient([none, full, refusal(404, "PT404", "gone"), refusal(404, "PT404", "gone"), none]);
  expect(await setCalled(supabase, entry, true, 0)).toMatchObject({ ok: false });
  expect(await bookWaiting(supabase, entry)).toMatchObject({ ok: false, message: expect.stringContaining("1") });
  expect(await bookWaiting(supabase, entry)).toMatchObject({ ok: false, message: expect.stringContaining("no longer") });
  expect(await moveWaiting(supabase, entry, true)).toMatchObject({ ok: false, message: expect.stringContaining("no longer") });
  expect(await withdrawWaiting(supabase, entry)).toMatchObject({ ok: false });
});
