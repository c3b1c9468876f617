import fc from "fast-check";
import { expect, test } from "vitest";
import { createAddressLimit } from "./address-limit.ts";

test("an address is reported with every tenth view, so that what is reported lags by less than ten", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 600 }), (views) => {
      const limit = createAddressLimit(() => 0);
      const reported = Array.from({ length: views }, () => limit.count("192.0.2.1")).reduce<number>((sum, n) => sum + Number(n), 0);
      expect(views - reported).toBeGreaterThanOrEqual(0);
      expect(views - reported).toBeLessThan(10);
    }),
  );
});

test("600 views are enough, until the next ten minutes", () => {
  let now = 0;
  const limit = createAddressLimit(() => now);
  const answers = Array.from({ length: 601 }, () => limit.count("192.0.2.1"));
  expect(answers.slice(0, 600)).not.toContain("reached");
  expect(answers[600]).toBe("reached");
  expect(limit.count("192.0.2.2")).toBe(0);
  now = 10 * 60_000;
  expect(limit.count("192.0.2.1")).toBe(0);
});

test("an address that the database found to have enough is asked about no more", () => {
  const limit = createAddressLimit(() => 0);
  limit.count("192.0.2.1");
  limit.reach("192.0.2.1");
  expect(limit.count("192.0.2.1")).toBe("reached");
});

test("a crowd of made-up addresses takes no more memory, and the database counts on", () => {
  const limit = createAddressLimit(() => 0);
  for (let n = 0; n < 50_000; n += 1) limit.count(`made-up ${n}`);
  expect(limit.count("192.0.2.1")).toBe(1);
  expect(limit.count("made-up 7")).toBe(0);
});
