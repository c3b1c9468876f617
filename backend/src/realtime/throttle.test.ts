import { expect, test } from "vitest";
import { createThrottle } from "./throttle.ts";

function createClock() {
  let time = 0;
  const throttle = createThrottle(100, () => time);
  const pass = (ms: number): void => {
    time += ms;
  };
  return { throttle, pass };
}

test("a network may cause two seconds' work at once, and then waits until its debt is paid", () => {
  const { throttle, pass } = createClock();
  expect(throttle.take("a", 200)).toBe(0);
  expect(throttle.take("a", 50)).toBe(500);
  expect(throttle.take("b", 100)).toBe(0);
  pass(500);
  expect(throttle.take("a", 1)).toBe(10);
  pass(10_000);
  expect(throttle.take("a", 200)).toBe(0);
});

test("a wait is never longer than ten seconds", () => {
  const { throttle } = createClock();
  expect(throttle.take("a", 100_000)).toBe(10_000);
});

test("many networks together wait too, for the time of three", () => {
  const { throttle } = createClock();
  for (const network of ["a", "b", "c"]) expect(throttle.take(network, 200)).toBe(0);
  expect(throttle.take("d", 150)).toBe(500);
});

test("one network never makes the others wait, however much it tries", () => {
  const { throttle, pass } = createClock();
  for (let turn = 0; turn < 50; turn += 1) {
    throttle.take("a", 1000);
    expect(throttle.take("b", 20)).toBe(0);
    pass(500);
  }
  expect(throttle.isInDebt("a")).toBe(true);
  expect(throttle.isInDebt("b")).toBe(false);
});

test("a debt counts for all networks as soon as it is paid", () => {
  const { throttle, pass } = createClock();
  const crowd = ["a", "b", "c", "d"];
  for (const network of crowd) throttle.take(network, 2000);
  pass(2000);
  for (const network of crowd) throttle.take(network, 0);
  expect(throttle.take("e", 2)).toBe(1340);
  expect(throttle.isInDebt("e")).toBe(false);
});
