import { expect, test } from "vitest";
import { readScope, sinceWhen } from "./scope.ts";

const ID = "0d1f5f0e-7a55-4b7c-9f0a-3f2f3c1c9a01";

test.each([
  ["", { dateId: null, all: false, enquiryId: null }],
  ["when=all", { dateId: null, all: true, enquiryId: null }],
  [`date=${ID}`, { dateId: ID, all: false, enquiryId: null }],
  [`enquiry=${ID}`, { dateId: null, all: false, enquiryId: ID }],
  ["date=eq.1)", { dateId: null, all: false, enquiryId: null }],
])("the address ?%s asks for %j", (search, scope) => {
  expect(readScope(new URLSearchParams(search))).toEqual(scope);
});

test("recent is from thirty days ago on", () => {
  expect(sinceWhen(Date.parse("2030-01-31T09:00:00Z"))).toBe("2030-01-01T09:00:00.000Z");
});
