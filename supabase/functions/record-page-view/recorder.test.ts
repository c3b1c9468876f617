import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { createRecorder, type CountedView, type Outcome } from "./recorder.ts";

const nothing = (): Promise<void> => Promise.resolve();

function view(page_path: string): CountedView {
  return { page_path, session_id: "4b6e1c3a-7d0f-4f7e-9a51-6f0a9f2b7c11", device: "computer" };
}

test("views that come while others are committed share a commit, and each gets its own outcome", async () => {
  const groups: number[] = [];
  const recorder = createRecorder({
    async write(views) {
      groups.push(views.length);
      await delay(5);
      return views.map(({ page_path }): Outcome => (page_path === "/odd" ? "unknown_page" : "recorded"));
    },
    forget: nothing,
  });
  const outcomes = await Promise.all(Array.from({ length: 64 }, (_, index) => recorder.record(view(index % 2 === 0 ? "/" : "/odd"))));
  expect(outcomes).toEqual(Array.from({ length: 64 }, (_, index) => (index % 2 === 0 ? "recorded" : "unknown_page")));
  expect(groups).toEqual([64]);
});

test("nobody waits longer than 25 ms for a slow commit of others", async () => {
  let commits = 0;
  const slow = Promise.withResolvers<void>();
  const recorder = createRecorder({
    async write(views) {
      commits += 1;
      if (commits === 1) await slow.promise;
      return views.map((): Outcome => "recorded");
    },
    forget: nothing,
  });
  const first = recorder.record(view("/"));
  await delay(2);
  const second = recorder.record(view("/"));
  // However late it is on a busy machine, a timer of one more millisecond comes after one that was set before it.
  await delay(26);
  expect(commits).toBe(2);
  expect(await second).toBe("recorded");
  slow.resolve();
  expect(await first).toBe("recorded");
});

test("a group that could not be committed is not acknowledged, and the next one is tried", async () => {
  let fails = true;
  const recorder = createRecorder({
    write: (views) => Promise.resolve(fails ? null : views.map((): Outcome => "recorded")),
    forget: nothing,
  });
  expect(await Promise.all([recorder.record(view("/")), recorder.recordObjection()])).toEqual(["not_stored", "not_stored"]);
  fails = false;
  expect(await recorder.record(view("/"))).toBe("recorded");
});

test("an objection is a number in the group, and no view", async () => {
  const written: [number, number][] = [];
  const recorder = createRecorder({
    write(views, objections) {
      written.push([views.length, objections]);
      return Promise.resolve(views.map((): Outcome => "recorded"));
    },
    forget: nothing,
  });
  await Promise.all([recorder.recordObjection(), recorder.record(view("/")), recorder.recordObjection()]);
  expect(written).toEqual([[1, 2]]);
});

test("a flood is refused before it fills the memory", async () => {
  const held = Promise.withResolvers<null>();
  const recorder = createRecorder({ write: () => held.promise, forget: nothing });
  const asked = Array.from({ length: 10_001 }, () => recorder.record(view("/")));
  expect(await asked.at(-1)).toBe("not_stored");
  held.resolve(null);
});
