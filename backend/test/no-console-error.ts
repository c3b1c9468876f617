import { afterEach, beforeEach, vi } from "vitest";

// A test that expects an error on the console spies on it itself; any other fails by it.
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
