import { afterEach, expect, test, vi } from "vitest";
import { createVisitorLimit } from "./visitor-limit.server.ts";

const LIMIT = { most: 2, windowMs: 1000 };

afterEach(() => void vi.useRealTimers());

test("an address is allowed as often as the limit says, and again when the window has passed", () => {
  vi.useFakeTimers();
  const limit = createVisitorLimit(LIMIT);
  expect([limit.allows("192.0.2.1"), limit.allows("192.0.2.1"), limit.allows("192.0.2.1")]).toEqual([true, true, false]);
  vi.advanceTimersByTime(LIMIT.windowMs);
  expect(limit.allows("192.0.2.1")).toBe(true);
});

test("addresses are counted apart, and those of one IPv6 network together", () => {
  const limit = createVisitorLimit(LIMIT);
  for (const address of ["192.0.2.1", "192.0.2.1", "2001:db8:0:1::1", "2001:db8:0:1:a:b:c:d"]) limit.allows(address);
  expect(limit.allows("192.0.2.1")).toBe(false);
  expect(limit.allows("192.0.2.2")).toBe(true);
  expect(limit.allows("2001:db8:0:1::ffff")).toBe(false);
  expect(limit.allows("2001:db8:0:2::1")).toBe(true);
  expect(limit.allows("::ffff:192.0.2.1")).toBe(true);
});

test("a flood of addresses does not fill the memory, and new ones are still counted", () => {
  const limit = createVisitorLimit(LIMIT);
  for (let n = 0; n < 30_000; n += 1) limit.allows(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
  expect([limit.allows("192.0.2.1"), limit.allows("192.0.2.1"), limit.allows("192.0.2.1")]).toEqual([true, true, false]);
});
