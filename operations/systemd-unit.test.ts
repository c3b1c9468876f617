import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };

const UNIT = "docs/systemd/larkfell.service";
const HAS_SYSTEMD = spawnSync("systemd-analyze", ["--version"]).status === 0;

test("the unit starts the server with the flags and settings of npm start", async () => {
  const unit = await readFile(UNIT, "utf8");
  const [, start = ""] = packageJson.scripts.start.split("exec ");
  expect(unit).toContain(`ExecStart=/srv/larkfell/node_modules/.bin/${start}\n`);
  for (const [setting] of packageJson.scripts.start.matchAll(/[A-Z_]+=(?!node_modules)\S+/g)) expect(unit).toContain(setting);
});

test.skipIf(!HAS_SYSTEMD)("the unit has an exposure of at most 1.5", () => {
  const { stdout } = spawnSync("systemd-analyze", ["security", "--offline=true", "--no-pager", UNIT], { encoding: "utf8" });
  expect(Number(/exposure level for larkfell\.service: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(1.5);
});
