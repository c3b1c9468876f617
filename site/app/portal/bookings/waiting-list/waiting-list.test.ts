import { describe, expect, test } from "vitest";
import { done, refused } from "../../frame/outcome.ts";
import { refusal, scriptedClient } from "../../wire-fixture.ts";
import { listWaiting, nextInWords, nextToCall, withNextToCall, type WaitingEntry } from "./waiting-list.ts";

const entry: WaitingEntry = {
  id: "w1",
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

test("the list of a date comes in its order", async () => {
  const { supabase, asked } = scriptedClient([{ status: 200, body: [entry] }, refusal(401, "PGRST303", "JWT expired")]);
  expect(await listWaiting(supabase, "d1")).toEqual({ ok: true, rows: [entry] });
  expect(asked).toEqual([
    `GET /rest/v1/waiting_list?select=*,course_dates(course_name,course_date)&course_id=eq.d1&order=position.asc&offset=0&limit=1000`,
  ]);
  expect(await listWaiting(supabase, "d1")).toEqual({ ok: false, message: "Error fetching the waiting list: JWT expired" });
});

describe("next to call", () => {
  const two = { ...entry, id: "w2", position: 2, places: 2 };
  const three = { ...entry, id: "w3", position: 3 };
  const open = (places_left: number) => ({
    course_name: "Lvl 2 CCTV",
    course_date: "2130-01-07T09:00:00+00:00",
    end_date: null,
    places_left,
    status: "open",
  });

  test.each([
    ["nobody while the date is full", [entry, two, three], open(0), undefined],
    ["the first in the line, however the list came", [three, two, entry], open(3), "w1"],
    ["the first whose places are there", [two, three], open(1), "w3"],
    ["the first where all fit", [two, three], open(2), "w2"],
    ["who was not called yet", [{ ...entry, called_at: "2029-12-02T09:00:00+00:00" }, three], open(1), "w3"],
    ["nobody on a date that is cancelled", [entry], { ...open(9), status: "cancelled" }, undefined],
    ["nobody on a date that is over", [entry], { ...open(9), course_date: "2020-01-07T09:00:00+00:00" }, undefined],
    ["nobody where nobody waits", [], open(9), undefined],
  ])("is %s", (_who, entries, date, id) => {
    expect(nextToCall(entries, date)?.id).toBe(id);
  });

  test("is told with how to reach them", () => {
    expect(nextInWords(entry)).toBe("Ada, 07700 900 123, 1 place");
    expect(nextInWords({ ...entry, phone: null, email: "ada@mail.example", places: 2 })).toBe("Ada, ada@mail.example, 2 places");
  });
});

describe("after a place was freed", () => {
  const dateWith = (waiting_list: readonly WaitingEntry[]) => ({
    status: 200,
    body: [
      { course_name: "Lvl 2 CCTV", course_date: "2130-01-07T09:00:00+00:00", end_date: null, places_left: 1, status: "open", waiting_list },
    ],
  });

  test("the message says who is next to call, and leads to the list where it is not seen", async () => {
    const date = dateWith([
      { ...entry, places: 2 },
      { ...entry, name: "Ben", position: 2 },
    ]);
    const { supabase } = scriptedClient([date, date]);
    const message = "Booking cancelled. Next to call: Ben, 07700 900 123, 1 place.";
    expect(await withNextToCall(supabase, "d1", null, Promise.resolve(done("Booking cancelled.")))).toEqual({
      ok: true,
      message,
      next: { to: "/admin/bookings?date=d1", label: "Show the waiting list" },
    });
    expect(await withNextToCall(supabase, "d1", "d1", Promise.resolve(done("Booking cancelled.")))).toEqual({ ok: true, message });
  });

  test("it is as it was where nobody waits, the list cannot be read or nothing was freed", async () => {
    const { supabase } = scriptedClient([dateWith([]), refusal(401, "PGRST303", "JWT expired")]);
    const outcome = done("Booking cancelled.");
    expect(await withNextToCall(supabase, "d1", null, Promise.resolve(outcome))).toEqual(outcome);
    expect(await withNextToCall(supabase, "d1", null, Promise.resolve(outcome))).toEqual(outcome);
    expect(await withNextToCall(supabase, "d1", null, Promise.resolve(refused("No.")))).toEqual(refused("No."));
  });
});
