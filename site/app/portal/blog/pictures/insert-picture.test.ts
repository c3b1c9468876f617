import { expect, test } from "vitest";
import { insertion } from "./insert-picture.ts";

test.each([
  ["", 0, 0, "P\n\n"],
  ["Before", 6, 6, "Before\n\nP\n\n"],
  ["Before\n", 7, 7, "Before\n\nP\n\n"],
  ["Before\n\nAfter", 8, 8, "Before\n\nP\n\nAfter"],
  ["Before\n\nAfter", 6, 6, "Before\n\nP\n\nAfter"],
  ["BeforeAfter", 6, 6, "Before\n\nP\n\nAfter"],
  ["Before OLD After", 7, 10, "Before \n\nP\n\n After"],
])("into %j from %i to %i a picture becomes a paragraph of its own", (text, from, to, expected) => {
  const change = insertion(text, from, to, "P");
  expect(text.slice(0, change.from) + change.text + text.slice(change.to)).toBe(expected);
  expect([change.start, change.end]).toEqual([from + change.text.length, from + change.text.length]);
});
