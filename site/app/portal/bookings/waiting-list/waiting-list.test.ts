import { describe, expect, test } from "vitest";
import { nextToCall } from "../../bookable-dates/next-to-call.ts";
import { nextInWords, type WaitingEntry } from "./waiting-list.ts";

const entry: WaitingEntry = {
  id: "w1",
  course_id: "d1",
  course_dates: { course_name: "Lvl 2 CCTV", course_date: "2030-01-07T09:00:00+00:00", status: "open" },
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
  const open = (places_left: number) => ({
    course_name: "Lvl 2 CCTV",
    course_date: "2130-01-07T09:00:00+00:00",
    end_date: null,
    places_left,
    status: "open",
  });

  test.each([
    ["nobody while the date is full", [entry, two, three], open(0), undefined],
    ["the first by position", [three, two, entry], open(3), "w1"],
    ["the first whose places are free", [two, three], open(1), "w3"],
    ["the first where all fit", [two, three], open(2), "w2"],
    ["the first that was not called yet", [{ ...entry, called_at: "2029-12-02T09:00:00+00:00" }, three], open(1), "w3"],
    ["nobody on a date that is cancelled", [entry], { ...open(9), status: "cancelled" }, undefined],
    ["nobody on a date that is over", [entry], { ...open(9), course_date: "2020-01-07T09:00:00+00:00" }, undefined],
    ["nobody if the list is empty", [], open(9), undefined],
  ])("is %s", (_who, entries, date, id) => {
    expect(nextToCall(entries, date)?.id).toBe(id);
  });

  test("is shown with the contact", () => {
    expect(nextInWords(entry)).toBe("Ada, 07700 900 123, 1 place");
    expect(nextInWords({ ...entry, phone: null, email: "ada@mail.example", places: 2 })).toBe("Ada, ada@mail.example, 2 places");
  });
});
