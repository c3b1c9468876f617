import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFollowers } from "./followers.client.ts";

const page = Object.assign(new EventTarget(), { visibilityState: "visible" });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("navigator", { onLine: true });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function setVisibility(state: "visible" | "hidden"): void {
  page.visibilityState = state;
  page.dispatchEvent(new Event("visibilitychange"));
}

test("a list in a hidden window is loaded again once, when the window is shown, if its table has changed", () => {
  const followers = createFollowers();
  followers.setArriving(true);
  const reload = vi.fn();
  followers.add({ tables: ["bookings"], reload, isPaused: () => false });
  setVisibility("hidden");
  setVisibility("visible");
  setVisibility("hidden");
  for (const table of ["letters", "bookings", "bookings"] as const) followers.changed(table);
  vi.advanceTimersByTime(60_000);
  expect(reload).not.toHaveBeenCalled();
  setVisibility("visible");
  setVisibility("hidden");
  setVisibility("visible");
  expect(reload).toHaveBeenCalledOnce();
  followers.close();
});

test("a list that begins to follow just after changes arrive is loaded again, because it may have missed some", () => {
  const followers = createFollowers();
  followers.setArriving(true);
  vi.advanceTimersByTime(1_000);
  const reload = vi.fn();
  followers.add({ tables: ["bookings"], reload, isPaused: () => false });
  vi.advanceTimersByTime(1_000);
  expect(reload).toHaveBeenCalledOnce();
  followers.close();
});
