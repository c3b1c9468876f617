import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "backend";
import { createTestPostgres, prepareDataDirectory } from "backend/test/database.ts";
import pino from "pino";
import { afterAll, expect, inject, test } from "vitest";
import { backendEnvironment, readEnvironment } from "./environment/environment.ts";
import { startBackend, type RunningBackend } from "./start-backend.ts";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";

const SECRET_KEY = "sb_secret_start-backend-0123456789abcdef";
const TWO_DAYS_AGO = new Date(Date.now() - 2 * 86_400_000);

const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

test("the jobs for retention and held places call functions of the project, and fail only if a function does", async () => {
  const env = { ...(await installation()), START_FRESH: "secrets" };
  prepareDataDirectory(env.DATA_DIR);
  const log = pino({ level: "silent" });
  const start = (): Promise<RunningBackend> => startBackend(readEnvironment(backendEnvironment, env), { url: "http://127.0.0.1:1", log });
  async function runJobs({ jobs }: RunningBackend): Promise<void> {
    for (const wanted of ["retention", "holds"]) await jobs.find(({ name }: Job) => name === wanted)?.run();
  }

  const without = await start();
  await runJobs(without);
  await without.close();

  const migration = `create table public.visits (id int, old boolean); insert into public.visits values (1, true), (2, false), (3, false);
    grant all on public.visits to service_role;
    create function public.apply_retention() returns void language sql as 'delete from public.visits where old';
    create function public.release_holds() returns void language sql as 'delete from public.visits where id = 3';
    revoke all on function public.apply_retention(), public.release_holds() from public, anon, authenticated;
    grant execute on function public.apply_retention(), public.release_holds() to service_role;`;
  await writeFile(join(env.SUPABASE_DIR, "migrations/20260101000000_visits.sql"), migration);
  const backend = await start();
  await runJobs(backend);
  const left = await backend.fetch(new Request("http://127.0.0.1:1/rest/v1/visits?select=id", { headers: { apikey: SECRET_KEY } }));
  expect(await left.json()).toEqual([{ id: 2 }]);
  await backend.close();
});

test.skipIf(inject("postgres") === null)("setting DATABASE_URL for a filled data directory loses no uploaded file", async () => {
  const postgres = await createTestPostgres();
  cleanup.defer(postgres.remove);
  const env = { ...(await installation("[storage.buckets.files]\npublic = true\n")), START_FRESH: "secrets" };
  prepareDataDirectory(env.DATA_DIR);
  const logged: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(line) });
  const start = (more: Record<string, string>): Promise<RunningBackend> =>
    startBackend(readEnvironment(backendEnvironment, { ...env, ...more }), { url: "http://127.0.0.1:1", log });
  const request = (backend: RunningBackend, path: string, init: RequestInit = {}): Promise<Response> =>
    backend.fetch(new Request(`http://127.0.0.1:1/storage/v1/object/${path}`, { ...init, headers: { apikey: SECRET_KEY } }));
  const names = Array.from({ length: 8 }, (_, index) => `file-${index}.txt`);
  const sweep = async ({ jobs }: RunningBackend): Promise<void> => jobs.find(({ name }: Job) => name === "storage-sweep")?.run();

  const embedded = await start({});
  for (const name of names) expect((await request(embedded, `files/${name}`, { method: "POST", body: name })).status).toBe(200);
  await embedded.close();
  const kept = join(env.DATA_DIR, "storage/objects/kept");
  for (const folder of await readdir(kept)) {
    for (const file of await readdir(join(kept, folder))) await utimes(join(kept, folder, file), TWO_DAYS_AGO, TWO_DAYS_AGO);
  }

  const served = await start({ DATABASE_URL: postgres.url });
  await sweep(served);
  expect((await request(served, `public/files/${names[0]}`)).status).toBe(400);
  await served.close();
  expect(logged.join("")).toContain("the embedded database in");
  expect(logged.join("")).toContain("belong to another database");

  const again = await start({});
  await sweep(again);
  for (const name of names) expect(await (await request(again, `public/files/${name}`)).text()).toBe(name);
  await again.close();
});

test.skipIf(inject("postgres") === null)("requests use at most DATABASE_POOL_SIZE connections at once", async () => {
  const migration = `create function public.running() returns bigint language plpgsql security definer as $$ begin
      perform pg_sleep(0.2);
      return (select count(*) from pg_stat_activity where datname = current_database() and state = 'active' and query like '%running%');
    end $$;
    revoke all on function public.running() from public, anon, authenticated;
    grant execute on function public.running() to service_role;`;
  const postgres = await createTestPostgres();
  cleanup.defer(postgres.remove);
  const env = { ...(await installation()), DATABASE_URL: postgres.url, DATABASE_POOL_SIZE: "2" };
  await writeFile(join(env.SUPABASE_DIR, "migrations/20260101000000_running.sql"), migration);
  const log = pino({ level: "silent" });
  const backend = await startBackend(readEnvironment(backendEnvironment, env), { url: "http://127.0.0.1:1", log });
  const call = (): Promise<number> =>
    backend
      .fetch(new Request("http://127.0.0.1:1/rest/v1/rpc/running", { method: "POST", headers: { apikey: SECRET_KEY } }))
      .then((response) => response.json());
  expect(Math.max(...(await Promise.all(Array.from({ length: 10 }, call))))).toBe(2);
  await backend.close();
});

/** The environment of a new installation in a temporary directory, with a project that has no migrations. */
async function installation(configToml = "") {
  const directory = cleanup.adopt(await mkdtemp(join(TEMPORARY_FILES, "larkfell-start-")), (path) =>
    rm(path, { recursive: true, force: true }),
  );
  const SUPABASE_DIR = join(directory, "supabase");
  await mkdir(join(SUPABASE_DIR, "migrations"), { recursive: true });
  await writeFile(join(SUPABASE_DIR, "config.toml"), configToml);
  return {
    DATA_DIR: join(directory, "data"),
    SUPABASE_DIR,
    SECRET_KEY,
    STAFF_EMAIL: "jo@larkfell.example",
    STAFF_PASSWORD: "seven lanes",
  };
}
