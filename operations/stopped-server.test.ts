import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { checkArchive } from "backend/backup.ts";
import { expect, test } from "vitest";
import { backup } from "./commands/backup.ts";
import { prepareInstallation } from "./installation-fixture.ts";

test("a backup is complete although the server stops after it has copied its database, and no copy is left", async () => {
  await using installation = await prepareInstallation();
  const site = await installation.serve({ START_FRESH: "secrets" });
  const file = join(installation.directory, "stopped.tar");
  let stopped: PromiseLike<void> | undefined;
  await backup(file, { secrets: false, onProgress: () => void (stopped ??= site[Symbol.asyncDispose]()) });
  expect(stopped).toBeDefined();
  await stopped;
  expect(await checkArchive(file)).toMatchObject({ secrets: false });
  expect(await readdir(join(installation.env["DATA_DIR"] ?? "", "snapshots"))).toEqual([]);
});
