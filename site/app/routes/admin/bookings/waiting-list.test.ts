import { describe, expect, test } from "vitest";
import { checkWaiting, nextInWords, nextToCall, type WaitingEntry } from "./waiting-list.ts";

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

describe("next to call", () => {
  const two = { ...entry, id: "w2", position: 2, places: 2 };
  const three = { ...entry, id: "w3", position: 3 };
  const open = (places_left: number) => ({ places_left, status: "open" });

  test.each([
    ["nobody while the date is full", [entry, two, three], open(0), undefined],
    ["the first in the line, however the list came", [three, two, entry], open(3), "w1"],
    ["the first whose places are there", [two, three], open(1), "w3"],
    ["the first where all fit", [two, three], open(2), "w2"],
    ["who was not called yet", [{ ...entry, called_at: "2029-12-02T09:00:00+00:00" }, three], open(1), "w3"],
    ["nobody on a date that is cancelled", [entry], { places_left: 9, status: "cancelled" }, undefined],
    ["nobody where nobody waits", [], open(9), undefined],
  ])("is %s", (_who, entries, date, id) => {
    expect(nextToCall(entries, date)?.id).toBe(id);
  });

  test("is told with how to reach them", () => {
    expect(nextInWords(entry)).toBe("Ada, 07700 900 123, 1 place");
    expect(nextInWords({ ...entry, phone: null, email: "ada@mail.example", places: 2 })).toBe("Ada, ada@mail.example, 2 places");
  });
});

describe("checkWaiting", () => {
  function check(changes: Record<string, string>) {
    const form = new FormData();
    const values = { course_id: "d1", name: "Ada", places: "2", phone: "07700 900 123", ...changes };
    for (const [name, value] of Object.entries(values)) form.set(name, value);
    return checkWaiting(form);
  }

  test("takes who waits for how many places, reached by phone or by e-mail", () => {
    expect(check({})).toEqual({
      ok: true,
      value: { course_id: "d1", name: "Ada", email: null, phone: "07700 900 123", places: 2, note: null },
    });
    expect(check({ phone: "", email: "ada@mail.example" })).toMatchObject({ ok: true });
  });

  test.each([
    ["phone", { phone: "" }],
    ["phone", { phone: "ask her" }],
    ["email", { email: "ada" }],
    ["name", { name: " " }],
    ["places", { places: "0" }],
    ["course_id", { course_id: "" }],
  ])("refuses a wrong %s at its field: %j", (field, changes) => {
    expect(check(changes)).toMatchObject({ ok: false, field });
  });
});
