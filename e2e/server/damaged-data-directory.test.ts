import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runToEnd } from "../support/product.ts";
import { startedDirectory } from "../support/started-directory.ts";

// server/machine/data-directory.test.ts has the other reasons for a refusal; these run the whole process.

test.each([
  ["a data directory without secrets.json", "secrets.json", "START_FRESH=secrets"],
  ["a damaged database", "database/cluster/global", "restore it from a backup"],
])("%s leads to a one-line error and exit code 1", async (_what, missing, hint) => {
  await using directory = await startedDirectory();
  await rm(join(directory.path, missing), { recursive: true });
  const { code, output } = await runToEnd("server/build/site.js", { PORT: "0", LOG_LEVEL: "silent", DATA_DIR: directory.path });
  expect(code).toBe(1);
  expect(output.trim().split("\n")).toHaveLength(1);
  expect(output).toContain(hint);
});
