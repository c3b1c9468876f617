import { expect, test } from "vitest";
import { createGroupCommit } from "./group-commit.ts";

test("items that arrive during a commit share the next one, and each gets its own outcome", async () => {
  const groups: number[] = [];
  const first = Promise.withResolvers<void>();
  const add = createGroupCommit<number, string>(async (items) => {
    groups.push(items.length);
    if (groups.length === 1) await first.promise;
    return items.map((item) => `committed ${item}`);
  });
  const early = add(0);
  await expect.poll(() => groups.length).toBe(1);
  const late = Array.from({ length: 64 }, (_, index) => add(index + 1));
  first.resolve();
  expect(await Promise.all([early, ...late])).toEqual(Array.from({ length: 65 }, (_, index) => `committed ${index}`));
  expect(groups).toEqual([1, 64]);
});

test("items of a failed commit are not acknowledged, and the next commit is tried", async () => {
  let fails = true;
  const add = createGroupCommit<number, string>((items) => Promise.resolve(fails ? null : items.map(() => "committed")));
  expect(await Promise.all([add(1), add(2)])).toEqual([undefined, undefined]);
  fails = false;
  expect(await add(3)).toBe("committed");
});

test("an error in a commit reaches its callers, and the next commit is tried", async () => {
  let fails = true;
  const add = createGroupCommit<number, string>((items) =>
    fails ? Promise.reject(new Error("no network")) : Promise.resolve(items.map(() => "committed")),
  );
  await expect(add(1)).rejects.toThrow("no network");
  fails = false;
  expect(await add(2)).toBe("committed");
});

test("items beyond two thousand waiting ones are refused", async () => {
  const held = Promise.withResolvers<null>();
  const add = createGroupCommit<number, string>(() => held.promise);
  const added = Array.from({ length: 2001 }, (_, index) => add(index));
  expect(await added.at(-1)).toBeUndefined();
  held.resolve(null);
});
