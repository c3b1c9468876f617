import { describe, expect, test } from "vitest";
import { startEdit } from "../records/save-record.ts";
import { refusal, scriptedClient } from "../wire-fixture.ts";
import { addEnquiry, deleteEnquiry, latestChange, listEnquiries, readEnquiry, saveEnquiry, setStatus } from "./queries.ts";
import type { Enquiry } from "./schema.ts";

const ID = "0d1f5f0e-7a55-4b7c-9f0a-3f2f3c1c9a01";
const EMBED = "*,bookings(id,course_id,course_dates(course_name,course_date))";
const none = { status: 200, body: [] };

const enquiry: Enquiry = {
  id: ID,
  name: "Ada",
  reply_to: "ada@mail.example",
  course_name: null,
  message: "When?",
  status: "new",
  note: null,
  created_at: "2029-12-01T09:00:00+00:00",
  updated_at: "2029-12-01T09:00:00+00:00",
  updated_by: null,
  bookings: [],
};

function filledIn(values: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}

describe("listing", () => {
  test("asks for those that are open or recent, or for all, the newest first and with their bookings", async () => {
    const { supabase, asked } = scriptedClient([{ status: 200, body: [enquiry] }, none]);
    expect(await listEnquiries(supabase, { since: "2030-01-01T00:00:00.000Z" })).toEqual({ ok: true, rows: [enquiry] });
    await listEnquiries(supabase, "all");
    const page = `GET /rest/v1/enquiries?select=${EMBED}&order=created_at.desc,id.asc&offset=0&limit=1000`;
    expect(asked).toEqual([`${page}&or=(status.in.(new,called),created_at.gte."2030-01-01T00:00:00.000Z")`, page]);
  });

  test("says why it failed", async () => {
    const { supabase } = scriptedClient([refusal(401, "PGRST303", "JWT expired")]);
    expect(await listEnquiries(supabase, "all")).toEqual({ ok: false, message: "Error fetching enquiries: JWT expired" });
  });

  test("one that is gone is null, and no answer is no change", async () => {
    const { supabase } = scriptedClient([none, refusal(401, "PGRST303", "JWT expired"), { status: 200, body: [{ updated_at: "2030" }] }]);
    expect(await readEnquiry(supabase, ID)).toBeNull();
    expect(await latestChange(supabase)).toBeNull();
    expect(await latestChange(supabase)).toBe("2030");
  });
});

describe("taking one down", () => {
  const asks = { name: "Ada", reply_to: "07700 900 123", course_name: "", message: "When?" };

  test("sends what a visitor would", async () => {
    const { supabase, asked } = scriptedClient([{ status: 201 }]);
    expect(await addEnquiry(supabase, filledIn(asks))).toEqual({ ok: true, message: "Enquiry of Ada added." });
    expect(asked).toEqual(['POST /rest/v1/enquiries {"name":"Ada","reply_to":"07700 900 123","course_name":null,"message":"When?"}']);
  });

  test("says that too many came, or why it failed otherwise", async () => {
    const { supabase } = scriptedClient([refusal(429, "PT429", "Too many enquiries"), refusal(403, "42501", "permission denied")]);
    expect(await addEnquiry(supabase, filledIn(asks))).toMatchObject({ ok: false, message: expect.stringContaining("few minutes") });
    expect(await addEnquiry(supabase, filledIn(asks))).toEqual({ ok: false, message: "Failed to add enquiry: permission denied" });
  });
});

describe("handling one", () => {
  test("sends what was changed, for the row as it was seen", async () => {
    const { supabase, asked } = scriptedClient([{ status: 200, body: [enquiry] }]);
    const outcome = await saveEnquiry(supabase, startEdit(enquiry), filledIn({ status: "new", note: "Rings back" }));
    expect(outcome).toEqual({ ok: true, message: "Enquiry of Ada saved." });
    expect(asked).toEqual([
      `PATCH /rest/v1/enquiries?id=eq.${ID}&updated_at=eq.2029-12-01T09:00:00+00:00&select=${EMBED} {"note":"Rings back"}`,
    ]);
  });

  test("tells in words what somebody else changed", async () => {
    const theirs = { ...enquiry, status: "called", note: "Left a message", updated_at: "2029-12-01T10:00:00+00:00" };
    const { supabase } = scriptedClient([none, { status: 200, body: [theirs] }]);
    expect(await saveEnquiry(supabase, startEdit(enquiry), filledIn({ status: "new", note: "Rings back" }))).toMatchObject({
      ok: false,
      message: expect.stringContaining("Status: New, now Called; Note: empty, now Left a message."),
    });
  });

  test("a status is set where it still is what was seen", async () => {
    const { supabase, asked } = scriptedClient([{ status: 200, body: [{ id: ID }] }, none, refusal(403, "42501", "permission denied")]);
    expect(await setStatus(supabase, enquiry, "new", "called")).toEqual({ ok: true, message: "Ada: Called" });
    expect(asked).toEqual([`PATCH /rest/v1/enquiries?id=eq.${ID}&status=eq.new&select=id {"status":"called"}`]);
    expect(await setStatus(supabase, enquiry, "new", "called")).toMatchObject({ ok: false, message: expect.stringContaining("“New”") });
    expect(await setStatus(supabase, enquiry, "new", "called")).toMatchObject({ ok: false, message: expect.stringContaining("denied") });
  });

  test("deleting does not claim what did not happen", async () => {
    const { supabase } = scriptedClient([{ status: 200, body: [{ id: ID }] }, none]);
    expect(await deleteEnquiry(supabase, ID)).toEqual({ ok: true, message: "Enquiry deleted." });
    expect(await deleteEnquiry(supabase, ID)).toMatchObject({ ok: false });
  });
});
