import { expect, test } from "vitest";
import { refusal, scriptedClient, type WireAnswer } from "../wire-fixture.ts";
import { askToday } from "./today-queries.ts";

const NOW = Date.parse("2026-11-25T12:00:00Z");
const none: WireAnswer = { status: 200, body: [] };
const date = {
  id: "d1",
  course_name: "Lvl 2 CCTV",
  course_date: "2026-11-26T09:00:00+00:00",
  end_date: null,
  capacity: 12,
  places_taken: 5,
  status: "open",
};

test("asks for the dates of this week, who owes, new enquiries and the dates of the coming weeks", async () => {
  const { supabase, asked } = scriptedClient([none, none, none, none]);
  const { week, unpaid, enquiries, halfEmpty } = askToday(supabase, NOW);
  expect(await Promise.all([week, unpaid, enquiries, halfEmpty])).toEqual(
    Array.from({ length: 4 }, () => ({ ok: true, rows: [], total: 0 })),
  );
  const [runs, owes, asks, fills] = asked;
  expect(runs).toContain(
    'course_date=lt.2026-11-30T00:00:00.000Z&or=(course_date.gte."2026-10-14T00:00:00.000Z",end_date.gte."2026-11-23")',
  );
  expect(owes).toContain("bookings.status=eq.active&bookings.payment_status=eq.due&course_date=gte.2026-10-26T12:00:00.000Z");
  expect(asks).toContain("status=eq.new&order=created_at.desc,id.asc");
  expect(fills).toContain("course_date=gte.2026-11-25T12:00:00.000Z&course_date=lt.2027-01-04T00:00:00.000Z&status=in.(open,confirmed)");
});

test("a fault in one leaves the others", async () => {
  const { supabase } = scriptedClient([{ status: 200, body: [date] }, refusal(500, "XX000", "out of memory"), none, none]);
  const { week, unpaid, enquiries } = askToday(supabase, NOW);
  expect(await week).toMatchObject({ ok: true, rows: [date] });
  expect(await unpaid).toEqual({ ok: false, message: "out of memory" });
  expect(await enquiries).toMatchObject({ ok: true });
});

test("what began before this week is of it while it runs, whether its last day was named or follows from the course", async () => {
  const began = { ...date, course_date: "2026-11-18T09:00:00+00:00" };
  const dates = [
    { ...began, id: "a day", course_name: "Manual Handling" },
    { ...began, id: "five days" },
    { ...began, id: "until Friday", end_date: "2026-11-20" },
    { ...began, id: "until Monday", end_date: "2026-11-23", course_name: "Manual Handling" },
    { ...began, id: "long over", course_date: "2026-10-15T08:00:00+00:00" },
    date,
  ];
  const { supabase } = scriptedClient([{ status: 200, body: dates }, none, none, none]);
  const part = await askToday(supabase, NOW).week;
  expect(part.ok && [part.total, ...part.rows.map(({ id }) => id)]).toEqual([3, "five days", "until Monday", "d1"]);
});

test("half full is not under half full", async () => {
  const dates = [date, { ...date, id: "d2", places_taken: 6 }, { ...date, id: "d3", capacity: 11 }, { ...date, id: "d4", places_taken: 0 }];
  const { supabase } = scriptedClient([none, none, none, { status: 200, body: dates }]);
  const part = await askToday(supabase, NOW).halfEmpty;
  expect(part.ok && part.rows.map(({ id }) => id)).toEqual(["d1", "d3", "d4"]);
});

test("who has not paid is listed booking by booking, and counted", async () => {
  const bookings = [1, 2, 3, 4].map((n) => ({ id: `b${n}`, name: `Person ${n}` }));
  const dates = [date, { ...date, id: "d2" }].map(({ id, course_name, course_date }) => ({ id, course_name, course_date, bookings }));
  const { supabase } = scriptedClient([none, { status: 200, body: dates }, none, none]);
  const part = await askToday(supabase, NOW).unpaid;
  expect(part.ok && [part.total, part.rows.map((row) => `${row.name} ${row.date.id}`)]).toEqual([
    8,
    ["Person 1 d1", "Person 2 d1", "Person 3 d1", "Person 4 d1", "Person 1 d2"],
  ]);
});
