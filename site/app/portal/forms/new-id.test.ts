import { expect, test, vi } from "vitest";
import { randomHex } from "./new-id.ts";

test("returns different values on a page without TLS, where crypto.randomUUID is missing", () => {
  const { getRandomValues } = crypto;
  vi.stubGlobal("crypto", { getRandomValues: getRandomValues.bind(crypto) });
  const values = Array.from({ length: 100 }, () => randomHex(16));
  vi.unstubAllGlobals();
  for (const value of values) expect(value).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(values).size).toBe(100);
});
