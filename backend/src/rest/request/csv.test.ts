import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseCsv } from "./csv.ts";

test.each<[text: string, rows: Record<string, string | null>[]]>([
  ["a,b\n1,2\n", [{ a: "1", b: "2" }]],
  [
    "a,b\r\n1,2\r\n3,",
    [
      { a: "1", b: "2" },
      { a: "3", b: "" },
    ],
  ],
  ['a\n"x ""y"", z\nnext"', [{ a: 'x "y", z\nnext' }]],
  ['a,b\nNULL,"NULL"', [{ a: null, b: "NULL" }]],
  ["a\n", []],
])("%j is read as %j", (text, rows) => {
  expect(parseCsv(text)).toEqual(rows);
});

test.each(["", 'a\n"open', 'a\nx"y', 'a\n"x"y', "a,b\n1", "a\n1,2"])("%j is refused", (text) => {
  expect(() => parseCsv(text)).toThrow(expect.objectContaining({ code: "PGRST102" }));
});

test("a quoted field keeps its exact text", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (values) => {
      const lines = values.map((value) => `"${value.replaceAll('"', '""')}"`);
      expect(parseCsv(`a\n${lines.join("\r\n")}`)).toEqual(values.map((a) => ({ a })));
    }),
  );
});

test("a field of megabytes is read", () => {
  const long = 'x""'.repeat(3_000_000);
  expect(parseCsv(`a\n"${long}"\n`)[0]?.["a"]).toHaveLength(6_000_000);
});
