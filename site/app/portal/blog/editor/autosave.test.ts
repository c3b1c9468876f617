import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createAutosave, type SaveOutcome, type SaveState } from "./autosave.ts";

const PAUSE = 1000;
const RETRY = 5000;
const FAILED: SaveOutcome = { ok: false, again: true, message: "down" };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** An autosave whose saves come to these outcomes one after the other, each once it is let go, and then succeed. */
function scripted(outcomes: readonly SaveOutcome[] = []) {
  const saved: string[] = [];
  const states: (string | undefined)[] = [];
  const waiting: (() => void)[] = [];
  const autosave = createAutosave<string>({
    save: async (text) => {
      const outcome = outcomes[saved.length] ?? { ok: true };
      saved.push(text);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return outcome;
    },
    onState: (state: SaveState) => states.push(state?.is),
    pauseMs: PAUSE,
    retryMs: RETRY,
  });
  const answer = async (): Promise<void> => {
    waiting.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { autosave, saved, states, answer };
}

test("saves after a pause, and only the latest", async () => {
  const { autosave, saved, states, answer } = scripted();
  autosave.note("a");
  await vi.advanceTimersByTimeAsync(PAUSE - 1);
  autosave.note("ab");
  await vi.advanceTimersByTimeAsync(PAUSE - 1);
  expect(saved).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await answer();
  expect([saved, states, autosave.unsaved()]).toEqual([["ab"], ["saved"], null]);
});

test("saves one after the other; what is typed meanwhile follows and counts as unsaved", async () => {
  const { autosave, saved, answer } = scripted();
  autosave.note("a");
  await vi.advanceTimersByTimeAsync(PAUSE);
  expect(autosave.unsaved()).toBe("a");
  autosave.note("ab");
  await vi.advanceTimersByTimeAsync(10 * PAUSE);
  expect(saved).toEqual(["a"]);
  await answer();
  await vi.advanceTimersByTimeAsync(PAUSE);
  await answer();
  expect([saved, autosave.unsaved()]).toEqual([["a", "ab"], null]);
});

test("tries again what failed, and says both", async () => {
  const { autosave, saved, states, answer } = scripted([FAILED]);
  autosave.note("a");
  await vi.advanceTimersByTimeAsync(PAUSE);
  await answer();
  expect([states, autosave.unsaved()]).toEqual([["failed"], "a"]);
  await vi.advanceTimersByTimeAsync(RETRY);
  await answer();
  expect([saved, states, autosave.unsaved()]).toEqual([["a", "a"], ["failed", "saved"], null]);
});

test("what was typed during a save that failed is what is tried again", async () => {
  const { autosave, saved, answer } = scripted([FAILED]);
  autosave.note("a");
  await vi.advanceTimersByTimeAsync(PAUSE);
  autosave.note("ab");
  await answer();
  await vi.advanceTimersByTimeAsync(RETRY);
  await answer();
  expect([saved, autosave.unsaved()]).toEqual([["a", "ab"], null]);
});

test("what is held waits for the person, however long they type", async () => {
  const { autosave, saved, states, answer } = scripted([{ ok: false, again: false, message: "changed" }]);
  autosave.note("a");
  await vi.advanceTimersByTimeAsync(PAUSE);
  await answer();
  autosave.note("ab");
  await autosave.flush();
  await vi.advanceTimersByTimeAsync(10 * RETRY);
  expect([saved, states, autosave.isHeld()]).toEqual([["a"], ["held"], true]);
  const decided = autosave.flush(true);
  await vi.advanceTimersByTimeAsync(0);
  await answer();
  await decided;
  expect([saved, states, autosave.isHeld()]).toEqual([["a", "ab"], ["held", "saved"], false]);
});

test("leaving saves at once, after what is under way", async () => {
  const { autosave, saved, answer } = scripted();
  autosave.note("a");
  await vi.advanceTimersByTimeAsync(PAUSE);
  autosave.note("ab");
  const left = autosave.flush();
  await answer();
  await answer();
  await left;
  expect(saved).toEqual(["a", "ab"]);
});

test("a form that is sent waits for the save under way, and nothing is saved after it", async () => {
  const { autosave, saved, answer } = scripted();
  autosave.note("a");
  await vi.advanceTimersByTimeAsync(PAUSE);
  autosave.note("ab");
  const settled = autosave.settle();
  await answer();
  await settled;
  autosave.drop();
  await vi.advanceTimersByTimeAsync(10 * RETRY);
  expect([saved, autosave.unsaved()]).toEqual([["a"], null]);
});
