import { expect, test } from "vitest";
import { readList } from "./read-list.ts";

const numbers = Array.from({ length: 2400 }, (_, index) => index);

test("a list longer than one response is read completely and in order", async () => {
  const requested: [number, number][] = [];
  const result = await readList("numbers", (from, to) => {
    requested.push([from, to]);
    return Promise.resolve({ data: numbers.slice(from, to + 1), error: null, status: 200 });
  });
  expect(result).toEqual({ ok: true, rows: numbers });
  expect(requested).toEqual([
    [0, 999],
    [1000, 1999],
    [2000, 2999],
  ]);
});

test("an empty list needs one request", async () => {
  expect(await readList("numbers", () => Promise.resolve({ data: [], error: null, status: 200 }))).toEqual({ ok: true, rows: [] });
});

test("an error of a later page is returned", async () => {
  const result = await readList<number>("numbers", (from) =>
    Promise.resolve(
      from === 0
        ? { data: numbers.slice(0, 1000), error: null, status: 200 }
        : { data: null, error: { message: "JWT expired" }, status: 401 },
    ),
  );
  expect(result).toEqual({ ok: false, message: "Error fetching numbers: JWT expired" });
});

test("a lost connection is reported without its technical cause", async () => {
  const result = await readList<number>("numbers", () => Promise.resolve({ data: null, error: { message: "No connection" }, status: 0 }));
  expect(result).toEqual({ ok: false, message: "Unexpected error fetching numbers. Please try again." });
});
