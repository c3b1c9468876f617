import { expect, test } from "vitest";
import { describeDatabases } from "../../test/database.ts";
import type { Database, SqlValue } from "./database.ts";

const instant = new Date("2026-03-29T01:30:00.123Z");

// The result of `select <expression>`, the same on both drivers.
const RESULTS: [expression: string, value: unknown][] = [
  ["true", true],
  ["false", false],
  ["null::int", null],
  ["1::int2", 1],
  ["-2147483647", -2_147_483_647],
  ["9007199254740991::int8", 9_007_199_254_740_991],
  ["9007199254740993::int8", "9007199254740993"],
  ["1::oid", 1],
  ["1.5::float4", 1.5],
  ["0.1::float8", 0.1],
  ["'NaN'::float8", Number.NaN],
  ["'-Infinity'::float8", Number.NEGATIVE_INFINITY],
  ["1.10::numeric", "1.10"],
  ["'x'::text", "x"],
  ["'x'::varchar", "x"],
  ["'x'::char(3)", "x  "],
  ["'Zoë 🦡'", "Zoë 🦡"],
  ["'f0e1d2c3-b4a5-4968-8778-695a4b3c2d1e'::uuid", "f0e1d2c3-b4a5-4968-8778-695a4b3c2d1e"],
  ["'{\"a\": [1, null]}'::json", { a: [1, null] }],
  ["'\"text\"'::jsonb", "text"],
  ["'null'::jsonb", null],
  ["'2026-03-29 02:30:00.123456+01'::timestamptz", instant],
  ["'0044-03-15 12:00:00+00 BC'::timestamptz", "0044-03-15 12:00:00+00 BC"],
  ["'infinity'::timestamptz", "infinity"],
  ["'2026-03-29'::date", "2026-03-29"],
  ["'2026-03-29 01:30:00.5'::timestamp", "2026-03-29 01:30:00.5"],
  ["'1 day 02:00'::interval", "1 day 02:00:00"],
  ["'\\x00ff10'::bytea", new Uint8Array([0, 255, 16])],
  ["'sad'::mood", "sad"],
  ["'::1'::inet", "::1"],
  ["array[1, null, 3]", [1, null, 3]],
  ["'{}'::int[]", []],
  [
    "array[[1, 2], [3, 4]]",
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ["'[0:1]={1,2}'::int[]", [1, 2]],
  [`array['a', 'NULL', null, '', 'c"d\\e', '{x,y}']`, ["a", "NULL", null, "", 'c"d\\e', "{x,y}"]],
  ["array[true, false]", [true, false]],
  ["array[1.5, 2]::numeric[]", ["1.5", "2"]],
  ["array['2026-03-29 02:30:00.123+01'::timestamptz]", [instant]],
  ['array[\'{"a": "b,c"}\'::jsonb]', [{ a: "b,c" }]],
  ["array['sad'::mood]", "{sad}"],
  ["row(1, 'x')", "(1,x)"],
];

// The value that SQL receives for a parameter whose type the statement does not declare.
const PARAMETERS: [expression: string, parameter: SqlValue, value: unknown][] = [
  ["$1", "x", "x"],
  ["$1", 1, "1"],
  ["$1::int", 7, 7],
  ["$1::int", "7", 7],
  ["$1::float8", 0.1, 0.1],
  ["$1::float8", 1e21, 1e21],
  ["$1::numeric", 1.1, "1.1"],
  ["$1::bool", true, true],
  ["$1::text", false, "false"],
  ["$1::int", null, null],
  ["$1::timestamptz", instant, instant],
  ["$1::timestamptz", "2026-03-29 02:30:00.123+01", instant],
  ["$1::date", "2026-03-29", "2026-03-29"],
  ["$1::uuid", "f0e1d2c3-b4a5-4968-8778-695a4b3c2d1e", "f0e1d2c3-b4a5-4968-8778-695a4b3c2d1e"],
  ["$1::jsonb", '{"a":"b"}', { a: "b" }],
  ["$1::text::jsonb", '"text"', "text"],
  ["$1::mood", "sad", "sad"],
  ["$1::int[]", "{1,2}", [1, 2]],
  ["$1::bytea", "\\x00ff", new Uint8Array([0, 255])],
  ["$1::text", "lone \ud800 half", "lone \ufffd half"],
];

describeDatabases("values", (open) => {
  let database: Database;
  test("results are decoded alike by both drivers", async () => {
    database = await open({ scripts: ["create type mood as enum ('sad', 'happy')"] });
    const columns = RESULTS.map(([expression], index) => `${expression} as c${index}`);
    const [row] = await database.transaction((tx) => tx.query(`select ${columns.join(", ")}`));
    expect(row).toEqual(Object.fromEntries(RESULTS.map(([, value], index) => [`c${index}`, value])));
  });

  test.each(PARAMETERS)("select %s of %o", async (expression, parameter, value) => {
    expect(await database.transaction((tx) => tx.query(`select ${expression} as value`, [parameter]))).toEqual([{ value }]);
  });

  test("dates are read in UTC in every server time zone", async () => {
    const [row] = await database.transaction((tx) => tx.query("select '2026-07-01 12:00:00+00'::timestamptz::text as text"));
    expect(row).toEqual({ text: "2026-07-01 12:00:00+00" });
  });

  test("a value of several megabytes is returned complete", async () => {
    const text = "ä{\"'\\".repeat(1_000_000);
    const [row] = await database.transaction((tx) => tx.query("select $1::text as text, length($1::text) as length", [text]));
    expect(row?.length).toBe(5_000_000);
    expect(row?.text === text).toBe(true);
  });

  test("rows without columns and results without rows have their lengths", async () => {
    expect(await database.transaction((tx) => tx.query("select from generate_series(1, 3)"))).toEqual([{}, {}, {}]);
    expect(await database.transaction((tx) => tx.query("select 1 where false"))).toEqual([]);
  });
});
