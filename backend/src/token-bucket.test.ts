import { expect, test } from "vitest";
import { TokenBucket } from "./token-bucket.ts";

function createClock() {
  let time = 0;
  const pass = (ms: number): void => {
    time += ms;
  };
  return { now: () => time, pass };
}

test("a bucket allows a burst and then its rate, and refused events cost nothing", () => {
  const { now, pass } = createClock();
  const bucket = new TokenBucket({ perSecond: 2, burst: 4, now });
  expect([bucket.take(3), bucket.take(2), bucket.take(), bucket.take()]).toEqual([true, false, true, false]);
  pass(500);
  expect([bucket.take(), bucket.take()]).toEqual([true, false]);
  pass(60_000);
  expect([bucket.take(5), bucket.take(4)]).toEqual([false, true]);
});

test("a debt is at most the largest one, and time pays it", () => {
  const { now, pass } = createClock();
  const bucket = new TokenBucket({ perSecond: 10, maxDebt: 50, now });
  expect(bucket.waitMs()).toBe(0);
  bucket.charge(Infinity);
  expect(bucket.waitMs()).toBe(5000);
  expect(bucket.take(0)).toBe(false);
  pass(2000);
  expect(bucket.charge(0)).toBe(20);
  expect(bucket.waitMs()).toBe(3000);
});
