import { expect, test } from "vitest";
import { readScope, sinceWhen } from "./scope.ts";

const ID = "0d1f5f0e-7a55-4b7c-9f0a-3f2f3c1c9a01";

test.each([
  ["", { all: false, openId: null }],
  ["when=all", { all: true, openId: null }],
  [`open=${ID}`, { all: false, openId: ID }],
  ["open=eq.1)", { all: false, openId: null }],
])("the address ?%s asks for %j", (search, scope) => {
  expect(readScope(new URLSearchParams(search))).toEqual(scope);
});

test("recent is from ninety days ago on", () => {
  expect(sinceWhen(Date.parse("2030-04-01T09:00:00Z"))).toBe("2030-01-01T09:00:00.000Z");
});
