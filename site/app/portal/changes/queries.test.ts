import { describe, expect, test } from "vitest";
import { refusal, scriptedClient } from "../wire-fixture.ts";
import { listChanges, listPeople } from "./queries.ts";
import { recordInWords, restorable, valueInWords, type Change } from "./schema.ts";
import { addressOf, edgeOfDay, readScope } from "./scope.ts";

const ID = "0d1f5f0e-7a55-4b7c-9f0a-3f2f3c1c9a01";
const everything = readScope(new URLSearchParams());
const row = {
  id: 7,
  at: "2026-11-20T09:00:00+00:00",
  kind: "bookings",
  record_id: ID,
  act: "update",
  actor: "staff",
  actor_email: "jo@site.example",
  columns: ["course_id"],
  about: { name: "Ada", course_name: "Lvl 2 CCTV", course_date: "2030-07-01T08:00:00+00:00" },
  before: { course_id: "d1" },
  after: { course_id: "d2" },
};
const change: Change = { ...row, id: "7", dates: new Map() };

describe("listing changes", () => {
  test("asks for the latest of the scope, days as London has them", async () => {
    const { supabase, asked } = scriptedClient([{ status: 200, body: [] }]);
    await listChanges(supabase, {
      ...everything,
      kind: "bookings",
      who: "jo@site.example",
      from: "2026-07-01",
      to: "2026-10-25",
      record: ID,
    });
    expect(asked[0]).toContain("&order=at.desc,id.desc&offset=0&limit=200&");
    expect(asked[0]).toContain(`kind=eq.bookings&actor_email=eq.jo@site.example&record_id=eq.${ID}&`);
    // The clocks go back on the 25th: that day ends an hour later.
    expect(asked[0]).toContain("at=gte.2026-06-30T23:00:00.000Z&at=lt.2026-10-26T00:00:00.000Z");
  });

  test("tells changes of the service from those of a person", async () => {
    const { supabase, asked } = scriptedClient([{ status: 200, body: [] }]);
    await listChanges(supabase, { ...everything, who: "service" });
    expect(asked[0]).toContain("actor=eq.service");
  });

  test("names the dates a booking was moved between, also where one is gone", async () => {
    const { supabase, asked } = scriptedClient([
      { status: 200, body: [row] },
      { status: 200, body: [{ id: "d2", course_name: "Lvl 2 CCTV", course_date: "2030-07-01T08:00:00+00:00" }] },
    ]);
    const answer = await listChanges(supabase, everything);
    expect(asked[1]).toContain("id=in.(d1,d2)");
    const [read] = answer.ok ? answer.rows : [];
    const shown = [read?.before, read?.after].map((values) => valueInWords("course_id", values?.["course_id"], read?.dates ?? new Map()));
    expect(shown).toEqual(["a date that is gone", "Lvl 2 CCTV, 1 Jul 2030, 09:00"]);
  });

  test("says why it failed", async () => {
    const { supabase } = scriptedClient([refusal(401, "PGRST303", "JWT expired")]);
    expect(await listChanges(supabase, everything)).toEqual({ ok: false, message: "Error fetching changes: JWT expired" });
  });

  test("offers whoever has an account, and nobody where the service does not say", async () => {
    const { supabase } = scriptedClient([{ status: 200, body: [{ email: "jo@site.example" }, null] }, refusal(403, "42501", "no")]);
    expect(await listPeople(supabase)).toEqual(["jo@site.example"]);
    expect(await listPeople(supabase)).toEqual([]);
  });
});

test("the address keeps the scope, and begins at the latest where another is chosen", () => {
  const scope = readScope(new URLSearchParams(`kind=bookings&record=${ID}&before=2026-11-20T09:00:00Z`));
  expect(addressOf(scope, { who: "a+b@site.example" })).toBe(`/admin/changes?kind=bookings&who=a%2Bb%40site.example&record=${ID}`);
  expect(addressOf(scope, { kind: "", record: "" })).toBe("/admin/changes");
  expect(readScope(new URLSearchParams("record=eq.1)&before=soon"))).toEqual(everything);
});

test.each(["", "2026-02-30", "soon"])("the day %j has no edge", (day) => {
  expect([edgeOfDay(day, "begin"), edgeOfDay(day, "end")]).toEqual([null, null]);
});

test.each<[string, Partial<Change>, boolean]>([
  ["a deletion of yesterday", {}, true],
  ["an update", { act: "update" }, false],
  ["a deletion 30 days ago", { at: "2026-10-22T09:00:00+00:00" }, false],
  ["what is no longer kept", { before: null }, false],
])("whether %s can be restored", (_what, part, expected) => {
  const deletion: Change = { ...change, act: "delete", before: { name: "Ada" }, ...part };
  expect(restorable(deletion, [deletion], Date.parse("2026-11-21T09:00:00Z"))).toBe(expected);
});

test("what was restored since is not restored again", () => {
  const deletion: Change = { ...change, act: "delete" };
  const since: Change = { ...change, id: "8", act: "restore", at: "2026-11-20T10:00:00+00:00" };
  expect(restorable(deletion, [since, deletion], Date.parse("2026-11-21T09:00:00Z"))).toBe(false);
});

test("a record is called what it was called then", () => {
  expect(recordInWords(change)).toBe("Ada, Lvl 2 CCTV, 1 Jul 2030, 09:00");
  expect(recordInWords({ about: { title: "" } })).toBe("without a title");
  expect(recordInWords({ about: null })).toBe("");
});
