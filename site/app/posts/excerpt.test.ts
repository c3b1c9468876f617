import { expect, test } from "vitest";
import { excerpt } from "./excerpt.ts";

test("a text that fits is left unchanged", () => {
  expect(excerpt("Small group, plenty of time.", 150)).toBe("Small group, plenty of time.");
});

test("a longer text is cut at a word and ends in an ellipsis", () => {
  expect(excerpt("The first morning goes better", 20)).toBe("The first morning…");
});

test("a comma before the ellipsis is removed", () => {
  expect(excerpt("Clear, calm, practical", 13)).toBe("Clear, calm…");
});

test("line breaks count as spaces", () => {
  expect(excerpt("one\n\ntwo", 20)).toBe("one two");
});

test("a word longer than the limit is cut inside", () => {
  expect(excerpt("Llanfairpwllgwyngyll", 10)).toBe("Llanfairp…");
});

test.each([1, 5, 20, 150])("an excerpt is never longer than %i characters", (limit) => {
  expect(excerpt("Bring two forms of identification, ".repeat(10), limit).length).toBeLessThanOrEqual(limit);
});
