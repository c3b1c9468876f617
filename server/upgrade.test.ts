import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTestPostgres, prepareDataDirectory, testLog } from "backend/test/database.ts";
import { collectOutput, SHORT_LIVED, spawnEntry } from "backend/test/server-process.ts";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";
import { expect, inject, test, vi } from "vitest";
import { restore } from "../operations/commands/restore.ts";
import { backendEnvironment, readEnvironment } from "./environment/environment.ts";
import { startBackend } from "./start-backend.ts";

const URL_OF_SITE = "http://larkfell.example";
const KEYS = { PUBLISHABLE_KEY: "sb_publishable_of-an-upgrade-0123456789", SECRET_KEY: "sb_secret_of-an-upgrade-0123456789abcdef" };
const ACCOUNT = { STAFF_EMAIL: "jo@larkfell.example", STAFF_PASSWORD: "seven lanes" };
const ONE = "create table public.one (name text); insert into public.one values ('first'); grant select on public.one to service_role;";
const TWO = "update public.one set name = 'changed'; create table public.two ();";
/** Its process is killed while it runs. */
const ENDLESS = "update public.one set name = 'half'; select pg_sleep(3); select 1 / 0;";

test.for(["pglite", "postgres"])(
  "an upgrade on %s that is killed in its middle leaves the old data to either version, also from the copy",
  async (kind, { skip }) => {
    skip(kind === "postgres" && inject("postgres") === null);
    await using cleanup = new AsyncDisposableStack();
    const directory = cleanup.adopt(await mkdtemp(join(TEMPORARY_FILES, "larkfell-killed-upgrade-")), (path) =>
      rm(path, { recursive: true, force: true }),
    );
    const postgres = kind === "postgres" ? cleanup.adopt(await createTestPostgres(), ({ remove }) => remove()) : undefined;
    prepareDataDirectory(join(directory, "data"));
    const environmentOf = async (version: string, migrations: readonly string[]): Promise<Record<string, string>> => {
      const SUPABASE_DIR = join(directory, version);
      await mkdir(join(SUPABASE_DIR, "migrations"), { recursive: true });
      await writeFile(join(SUPABASE_DIR, "config.toml"), "");
      for (const [index, text] of migrations.entries()) await writeFile(join(SUPABASE_DIR, `migrations/2026010${index}_part.sql`), text);
      const place = { DATA_DIR: join(directory, "data"), START_FRESH: "secrets", ...(postgres && { DATABASE_URL: postgres.url }) };
      return { ...KEYS, ...ACCOUNT, ...place, SUPABASE_DIR };
    };
    const readWith = async (env: Record<string, string>): Promise<unknown> => {
      const backend = await startBackend(readEnvironment(backendEnvironment, env), { url: URL_OF_SITE, log: testLog });
      const request = new Request(`${URL_OF_SITE}/rest/v1/one?select=name`, { headers: { apikey: KEYS.SECRET_KEY } });
      const rows: unknown = await (await backend.fetch(request)).json();
      await backend.close();
      return rows;
    };

    const first = await environmentOf("first", [ONE]);
    expect(await readWith(first)).toEqual([{ name: "first" }]);
    const child = spawnEntry("server/backend.ts", { ...(await environmentOf("killed", [ONE, TWO, ENDLESS])), PORT: "0" }, SHORT_LIVED);
    const output = collectOutput(child);
    const closed = once(child, "close");
    await expect.poll(output, { interval: 10 }).toContain("20260101_part.sql");
    child.kill("SIGKILL");
    await closed;
    expect(await readWith(first)).toEqual([{ name: "first" }]);
    expect(await readWith(await environmentOf("second", [ONE, TWO]))).toEqual([{ name: "changed" }]);
    if (!postgres) return;
    // The way back: an empty database is filled from the copy, for the first version.
    const empty = cleanup.adopt(await createTestPostgres({ platform: false }), ({ remove }) => remove());
    for (const [name, value] of Object.entries(first)) vi.stubEnv(name, value);
    await restore(join(directory, "data/before-upgrade/database.tar"), { into: empty.url, secrets: true, databaseOnly: true });
    vi.unstubAllEnvs();
    expect(await readWith({ ...first, DATABASE_URL: empty.url })).toEqual([{ name: "first" }]);
  },
);
