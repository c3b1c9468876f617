import { expect, test } from "vitest";
import { readSnapshot } from "./snapshot.ts";

test.each([
  ["10:20:10,14", [9, 11, 19]],
  ["10:10:", [9]],
])("the snapshot %s sees the transactions that had ended", (text, seen) => {
  expect([9, 10, 11, 14, 19, 20].filter(readSnapshot(text))).toEqual(seen);
});
