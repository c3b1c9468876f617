import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const UNIT = "docs/systemd/larkfell.service";
const HAS_SYSTEMD = spawnSync("systemd-analyze", ["--version"]).status === 0;

test("the unit sets no variable that somebody may change in .env", async () => {
  const [unit, example] = await Promise.all([readFile(UNIT, "utf8"), readFile(".env.example", "utf8")]);
  const set = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = ""]) => [...line.matchAll(/(\w+)=/g)].map(([, name]) => name));
  expect(set).toEqual(["NODE_COMPILE_CACHE"]);
  expect(example).not.toMatch(/^NODE_COMPILE_CACHE=/m);
});

test.skipIf(!HAS_SYSTEMD)("the unit has an exposure of at most 1.5", () => {
  const { stdout } = spawnSync("systemd-analyze", ["security", "--offline=true", "--no-pager", UNIT], { encoding: "utf8" });
  expect(Number(/exposure level for larkfell\.service: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(1.5);
});
