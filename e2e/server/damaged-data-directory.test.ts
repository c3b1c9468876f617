import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTestPostgres } from "backend/test/database.ts";
import { expect, inject, test } from "vitest";
import { runToEnd, STAFF_ENV, startProcess } from "../support/product.ts";
import { startedDirectory } from "../support/started-directory.ts";

/** Starts the site, expects that it refuses to, and returns the only line that it prints. */
async function refusal(env: Record<string, string>): Promise<string> {
  const { code, output } = await runToEnd("server/site.ts", { PORT: "0", LOG_LEVEL: "silent", ...env });
  expect(code).toBe(1);
  expect(output.trim().split("\n")).toHaveLength(1);
  return output;
}

test("a missing secrets.json beside a database is refused, unless START_FRESH=secrets", async () => {
  await using directory = await startedDirectory();
  await rm(join(directory.path, "secrets.json"));
  for (const _attempt of [1, 2]) expect(await refusal({ DATA_DIR: directory.path })).toContain("START_FRESH=secrets");
  await using site = await startProcess("server/site.ts", { DATA_DIR: directory.path, START_FRESH: "secrets" });
  expect((await fetch(`${site.url}/health`)).status).toBe(200);
});

test.each([
  ["is cut short", '{"publishableKey": "sb_pub'],
  ["is empty", ""],
  ["lacks the keys", "{}"],
])("a secrets.json that %s is refused and left alone", async (_case, text) => {
  await using directory = await startedDirectory();
  await writeFile(join(directory.path, "secrets.json"), text);
  for (const _attempt of [1, 2]) expect(await refusal({ DATA_DIR: directory.path })).toContain("secrets.json is damaged");
});

test("a missing database beside files and secrets is refused, unless START_FRESH=database", async () => {
  await using directory = await startedDirectory();
  const database = join(directory.path, "database");
  await rename(database, join(directory.path, "elsewhere"));
  // As an unmounted volume leaves it.
  await mkdir(database);
  for (const _attempt of [1, 2]) expect(await refusal({ DATA_DIR: directory.path })).toContain("START_FRESH=database");
  await using site = await startProcess("server/site.ts", { DATA_DIR: directory.path, START_FRESH: "database" });
  expect(site.output()).toContain("set-up#");
});

test("a damaged database is refused", async () => {
  await using directory = await startedDirectory();
  await rm(join(directory.path, "database/cluster/global"), { recursive: true });
  expect(await refusal({ DATA_DIR: directory.path })).toContain("restore it from a backup");
});

test.runIf(process.platform === "linux")("a data directory that cannot be created is refused", async () => {
  expect(await refusal({ DATA_DIR: "/dev/null/data" })).toContain("DATA_DIR");
});

test.each([
  ["sslmode=sometimes", "sslmode"],
  ["sslmode=verify-full&sslrootcert=/nowhere/ca.pem", "/nowhere/ca.pem"],
])("DATABASE_URL with %s is refused by name", async (query, name) => {
  await using directory = await startedDirectory();
  const output = await refusal({ DATA_DIR: directory.path, DATABASE_URL: `postgres://127.0.0.1:9/postgres?${query}` });
  expect(output).toContain("DATABASE_URL");
  expect(output).toContain(name);
});

test.skipIf(inject("postgres") === null)("a missing secrets.json beside accounts on a PostgreSQL server is refused", async () => {
  await using directory = await startedDirectory();
  const postgres = await createTestPostgres();
  try {
    const env = { DATA_DIR: directory.path, DATABASE_URL: postgres.url };
    await (await startProcess("server/site.ts", { ...env, ...STAFF_ENV })).stop();
    await rm(join(directory.path, "secrets.json"));
    for (const _attempt of [1, 2]) expect(await refusal(env)).toContain("START_FRESH=secrets");
  } finally {
    await postgres.remove();
  }
});
