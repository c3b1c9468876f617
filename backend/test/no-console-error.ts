import { afterEach, beforeEach, vi } from "vitest";

// Fails a test on an unexpected console.error; a test that expects one installs its own spy.
const unexpected: unknown[][] = [];

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation((...words: unknown[]) => {
    unexpected.push(words);
  });
});

afterEach(() => {
  vi.mocked(console.error).mockRestore();
  const [first] = unexpected.splice(0);
  if (first) throw new Error(`unexpected console.error: ${first.map(String).join(" ")}`);
});
