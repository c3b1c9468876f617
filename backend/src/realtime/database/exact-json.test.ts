import { expect, test } from "vitest";
import { parseExact } from "./exact-json.ts";

test.each(["9007199254740993", "1.50", "-0", "0.10", "12345678901234567890.5"])("%s keeps its digits", (number) => {
  expect(JSON.stringify(parseExact(`{"a": ${number}, "b": [1, ${number}]}`))).toBe(`{"a":${number},"b":[1,${number}]}`);
});

test("a long text is parsed as JavaScript does, because reading each number takes long", () => {
  expect(JSON.stringify(parseExact(`{"a": 1.50, "b": "${"x".repeat(20_000)}"}`))).toMatch(/^{"a":1.5,/);
});
