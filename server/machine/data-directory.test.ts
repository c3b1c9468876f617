import { cpSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTestPostgres, prepareDataDirectory } from "backend/test/database.ts";
import pino from "pino";
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { backendEnvironment, readEnvironment } from "../environment/environment.ts";
import { startFailure } from "../process.ts";
import { startBackend, type RunningBackend } from "../start-backend.ts";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";

const ACCOUNT = { STAFF_EMAIL: "jo@larkfell.example", STAFF_PASSWORD: "seven lanes" };

const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());
let root: string;
let copies = 0;

beforeAll(async () => {
  root = cleanup.adopt(await mkdtemp(join(TEMPORARY_FILES, "larkfell-damaged-")), (path) => rm(path, { recursive: true, force: true }));
  await mkdir(join(root, "supabase"));
  await writeFile(join(root, "supabase/config.toml"), "");
  prepareDataDirectory(join(root, "made"));
  await (await start({ DATA_DIR: join(root, "made"), START_FRESH: "secrets", ...ACCOUNT })).close();
});

/** Copies a data directory after a first start. */
function startedDirectory(): string {
  copies += 1;
  const directory = join(root, String(copies));
  cpSync(join(root, "made"), directory, { recursive: true });
  return directory;
}

function start(env: Record<string, string>): Promise<RunningBackend> {
  const settings = { SUPABASE_DIR: join(root, "supabase"), ...env };
  return startBackend(readEnvironment(backendEnvironment, settings), { url: "http://127.0.0.1:1", log: pino({ level: "silent" }) });
}

/** Expects that a start is refused, and returns the only line that it would print. */
async function refusal(env: Record<string, string>): Promise<string> {
  const outcome = await start(env).then(
    (backend) => backend.close(),
    (error: unknown) => startFailure(error),
  );
  expect(outcome).toMatch(/^[^\n]+$/);
  return String(outcome);
}

test("a data directory has a notice against copying it while the server runs", async () => {
  expect(await readFile(join(startedDirectory(), "README.txt"), "utf8")).toContain("Do not copy it while the server runs");
});

test("a missing secrets.json beside a database is refused, unless START_FRESH=secrets", async () => {
  const DATA_DIR = startedDirectory();
  await rm(join(DATA_DIR, "secrets.json"));
  for (const _attempt of [1, 2]) expect(await refusal({ DATA_DIR })).toContain("START_FRESH=secrets");
  await (await start({ DATA_DIR, START_FRESH: "secrets" })).close();
});

test("a secrets.json that is cut short, is empty or lacks the keys is refused and left alone", async () => {
  const DATA_DIR = startedDirectory();
  for (const text of ['{"publishableKey": "sb_pub', "", "{}"]) {
    await writeFile(join(DATA_DIR, "secrets.json"), text);
    expect(await refusal({ DATA_DIR })).toContain("secrets.json is damaged");
    expect(await readFile(join(DATA_DIR, "secrets.json"), "utf8")).toBe(text);
  }
});

test("a missing database beside files and secrets is refused, unless START_FRESH=database", async () => {
  const DATA_DIR = startedDirectory();
  await rename(join(DATA_DIR, "database"), join(DATA_DIR, "elsewhere"));
  // An unmounted volume leaves its empty directory.
  await mkdir(join(DATA_DIR, "database"));
  for (const _attempt of [1, 2]) expect(await refusal({ DATA_DIR })).toContain("START_FRESH=database");
  const printed = vi.spyOn(console, "log").mockImplementation(() => undefined);
  onTestFinished(() => printed.mockRestore());
  await (await start({ DATA_DIR, START_FRESH: "database" })).close();
  expect(printed).toHaveBeenCalledWith(expect.stringContaining("set-up#"));
});

test("a migration that was edited after it was applied is refused, and the line says what to do", async () => {
  const DATA_DIR = startedDirectory();
  const SUPABASE_DIR = join(root, "edited");
  const file = join(SUPABASE_DIR, "migrations", "20260101_one.sql");
  await mkdir(join(SUPABASE_DIR, "migrations"), { recursive: true });
  await writeFile(join(SUPABASE_DIR, "config.toml"), "");
  await writeFile(file, "create table one (id int);");
  await (await start({ DATA_DIR, SUPABASE_DIR })).close();
  await writeFile(file, "create table one (id bigint);");
  for (const _attempt of [1, 2]) {
    const line = await refusal({ DATA_DIR, SUPABASE_DIR });
    expect(line).toContain(file);
    expect(line).toContain("restore the file as it was, and make the change in a new migration");
  }
  await writeFile(file, "create table one (id int);");
  await (await start({ DATA_DIR, SUPABASE_DIR })).close();
});

test("a DATA_DIR that cannot be written is refused by name", async () => {
  const file = join(root, "a file");
  await writeFile(file, "");
  expect(await refusal({ DATA_DIR: join(file, "data") })).toContain("DATA_DIR cannot be used");
});

test("the files of another PostgreSQL are refused and left alone, and the line says what to do", async () => {
  const DATA_DIR = startedDirectory();
  const file = join(DATA_DIR, "database", "cluster", "PG_VERSION");
  for (const version of ["17", "19"]) {
    await writeFile(file, `${version}\n`);
    const line = await refusal({ DATA_DIR });
    expect(line).toContain(`was made by PostgreSQL ${version}`);
    expect(line).toContain("Back it up with the version of the product that made it, and restore that backup with this one.");
    expect(await readFile(file, "utf8")).toBe(`${version}\n`);
  }
});

test.each([
  ["sslmode=sometimes", "sslmode"],
  ["sslmode=verify-full&sslrootcert=/nowhere/ca.pem", "/nowhere/ca.pem"],
])("DATABASE_URL with %s is refused by name", async (query, name) => {
  const message = await refusal({ DATA_DIR: join(root, "made"), DATABASE_URL: `postgres://127.0.0.1:9/postgres?${query}` });
  expect(message).toContain("DATABASE_URL");
  expect(message).toContain(name);
});

test.skipIf(inject("postgres") === null)("a missing secrets.json beside accounts on a PostgreSQL server is refused", async () => {
  const DATA_DIR = startedDirectory();
  const postgres = await createTestPostgres();
  cleanup.defer(postgres.remove);
  const env = { DATA_DIR, DATABASE_URL: postgres.url };
  await (await start({ ...env, ...ACCOUNT })).close();
  await rm(join(DATA_DIR, "secrets.json"));
  for (const _attempt of [1, 2]) expect(await refusal(env)).toContain("START_FRESH=secrets");
});
