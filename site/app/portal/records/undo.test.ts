import { expect, test } from "vitest";
import { undoDelete } from "./undo.ts";
import { refusal, scriptedClient } from "../wire-fixture.ts";

test("brings a record back, and says what came with it", async () => {
  const { supabase, asked } = scriptedClient([
    { status: 200, body: 1 },
    { status: 200, body: 3 },
  ]);
  expect(await undoDelete(supabase, "bookings", "b1", { onto: "d2" })).toEqual({ ok: true, message: "Booking is back." });
  expect(asked).toEqual(['POST /rest/v1/rpc/undo_delete {"kind":"bookings","record_id":"b1","onto":"d2"}']);
  expect(await undoDelete(supabase, "course_dates", "d1")).toEqual({ ok: true, message: "Course is back. 2 bookings came with it." });
});

test.each([
  ["PT404", undefined, /nothing of it is kept/],
  ["PT412", undefined, /back already/],
  ["23503", "onto", /Restore the date first, or choose another/],
  ["PT409", "onto", /places left/],
  ["PT410", "onto", /cancelled/],
  ["23505", "address", /Choose another address/],
  ["42501", undefined, /^Failed to restore: no$/],
])("explains %s at its field, with the way to what was deleted", async (code, field, message) => {
  const { supabase } = scriptedClient([refusal(400, code, "no")]);
  const outcome = await undoDelete(supabase, "bookings", "b1");
  expect(outcome).toMatchObject({ ok: false, message: expect.stringMatching(message), next: { to: "/admin/changes?record=b1" } });
  expect(outcome.ok ? undefined : outcome.field).toBe(field);
});
