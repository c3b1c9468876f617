import { expect, test } from "vitest";
import { addressOf, readScope } from "./scope.ts";

const ID = "0d1f5f0e-7a55-4b7c-9f0a-3f2f3c1c9a01";
const everything = readScope(new URLSearchParams());

test("the address contains the scope; a change of the scope starts at the latest changes again", () => {
  const scope = readScope(new URLSearchParams(`kind=bookings&record=${ID}&before=2026-11-20T09:00:00Z`));
  expect(addressOf(scope, { who: "a+b@site.example" })).toBe(`/admin/changes?kind=bookings&who=a%2Bb%40site.example&record=${ID}`);
  expect(addressOf(scope, { kind: "", record: "" })).toBe("/admin/changes");
  expect(readScope(new URLSearchParams("record=eq.1)&before=soon"))).toEqual(everything);
});
