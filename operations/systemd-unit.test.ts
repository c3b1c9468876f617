import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const UNIT = "docs/systemd/larkfell.service";
const HAS_SYSTEMD = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!HAS_SYSTEMD)("the unit has an exposure of at most 1.5", () => {
  const { stdout } = spawnSync("systemd-analyze", ["security", "--offline=true", "--no-pager", UNIT], { encoding: "utf8" });
  expect(Number(/exposure level for larkfell\.service: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(1.5);
});
