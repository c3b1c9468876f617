import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { findPostgres } from "./binaries.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "larkfell-postgres-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true });
});

test.skipIf(inject("postgres") === null)("PostgreSQL comes from npm even if another one is installed", async () => {
  const installed = await mkdtemp(join(directory, "installed-"));
  for (const name of ["postgres", "initdb"]) await writeFile(join(installed, name), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  vi.stubEnv("POSTGRES_BIN", undefined);
  vi.stubEnv("PATH", `${installed}${delimiter}${process.env["PATH"]}`);
  const found = await findPostgres(directory);
  expect(found?.postgres).toMatch(new RegExp(`^${RegExp.escape(join(directory, "native", "bin"))}`));
  expect(found?.major).toBeGreaterThanOrEqual(15);
});

test("POSTGRES_BIN names another installation, which must run", async () => {
  for (const name of ["postgres", "initdb"]) await writeFile(join(directory, name), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  vi.stubEnv("POSTGRES_BIN", directory);
  expect(await findPostgres(directory)).toBeNull();
});
