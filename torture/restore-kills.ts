import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createPostgresDatabase, dropPostgresDatabase } from "backend/test/postgres/databases.ts";
import { type PostgresServer, startPostgresServer } from "backend/test/postgres/server.ts";
import { collectOutput, spawnEntry } from "backend/test/server-process.ts";
import pg from "pg";
import { startProduct } from "./product.ts";
import { type Result, roundDirectory } from "./round.ts";
import { writeUntilStopped } from "./writers.ts";

const LEAST_KILLS = 20;
const WRITING_MS = 8000;

/** A place into which a backup is restored. */
interface Place {
  into: string;
  dataDir: string;
  hasTables(): Promise<boolean>;
  clear(): Promise<void>;
}

/** Kills restores into a new directory and into an empty database with SIGKILL, at random moments, and compares the old installation. */
export async function killRestores(seconds: number): Promise<Result> {
  const server = await startPostgresServer({ durable: true });
  try {
    const embedded = await killRepeatedly(seconds / 2);
    const onServer = server ? await killRepeatedly(seconds / 2, server) : undefined;
    const figures = { ...named("embedded", embedded), ...(onServer ? named("Postgres", onServer) : { Postgres: "none runs here" }) };
    return { ok: [embedded, onServer].every((kind) => kind === undefined || kind.changed + kind.half === 0), figures };
  } finally {
    await server?.remove();
  }
}

interface Kills {
  kills: number;
  /** The number of kills after which the old installation had changed. */
  changed: number;
  /** The number of kills after which the new place had only the files or only the tables. */
  half: number;
  restoreMs: number;
}

async function killRepeatedly(seconds: number, server?: PostgresServer): Promise<Kills> {
  const end = performance.now() + seconds * 1000;
  await using directory = await roundDirectory();
  const oldDir = join(directory.path, "old");
  const file = join(directory.path, "backup.tar");
  const old = server ? await createPostgresDatabase(server.url("postgres"), "old") : undefined;
  const oldEnv = { DATA_DIR: oldDir, BACKUP_PASSPHRASE: "words of a passphrase", ...(old === undefined ? {} : { DATABASE_URL: old }) };
  await writeSome(oldDir, oldEnv);
  await larkfell(["backup", file], oldEnv);

  const place = server ? await placeOnServer(server, join(directory.path, "new")) : placeInDirectory(join(directory.path, "new"));
  const restore = ["restore", file, "--into", place.into];
  const env = { DATA_DIR: place.dataDir, BACKUP_PASSPHRASE: oldEnv.BACKUP_PASSPHRASE };
  const started = performance.now();
  await larkfell(restore, env);
  const restoreMs = performance.now() - started;
  await place.clear();

  const before = await digest(oldDir, old);
  const counts: Kills = { kills: 0, changed: 0, half: 0, restoreMs: Math.round(restoreMs) };
  while (counts.kills < LEAST_KILLS || performance.now() < end) {
    const child = spawnEntry("operations/larkfell.ts", env, [], restore);
    const output = collectOutput(child);
    const closed = once(child, "close");
    await Promise.race([delay(Math.random() * restoreMs), closed]);
    const wasKilled = child.kill("SIGKILL");
    await closed;
    if (!wasKilled && child.exitCode !== 0) throw new Error(output());
    if (wasKilled) counts.kills += 1;
    if ((await digest(oldDir, old)) !== before) counts.changed += 1;
    const [hasFiles, hasTables] = [existsSync(place.dataDir), await place.hasTables()];
    if (hasFiles !== hasTables) counts.half += 1;
    if (hasFiles || hasTables) await place.clear();
  }
  await larkfell(restore, env);
  if (server && old !== undefined) await dropPostgresDatabase(server.url("postgres"), "old");
  return counts;
}

async function writeSome(dataDir: string, env: Record<string, string>): Promise<void> {
  const product = await startProduct(dataDir, env);
  await writeUntilStopped(await product.staff(), { rows: [], files: [] }, AbortSignal.timeout(WRITING_MS));
  await product.end();
}

async function larkfell(args: readonly string[], env: Record<string, string>): Promise<void> {
  const child = spawnEntry("operations/larkfell.ts", env, [], args);
  const output = collectOutput(child);
  await once(child, "close");
  if (child.exitCode !== 0) throw new Error(output());
}

function placeInDirectory(into: string): Place {
  return {
    into,
    dataDir: into,
    hasTables: async () => existsSync(into),
    clear: () => rm(into, { recursive: true }),
  };
}

const TABLES = "select count(*)::int as tables from pg_tables where schemaname not in ('pg_catalog', 'information_schema')";

async function placeOnServer(server: PostgresServer, dataDir: string): Promise<Place> {
  const into = await createPostgresDatabase(server.url("postgres"), "new");
  return {
    into,
    dataDir,
    hasTables: async () => (await query<{ tables: number }>(into, TABLES))[0]?.tables !== 0,
    async clear() {
      await dropPostgresDatabase(server.url("postgres"), "new");
      await createPostgresDatabase(server.url("postgres"), "new");
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const ROWS = `select md5(string_agg(line, '' order by line)) as sum from (select t::text as line from public.course_dates t
  union all select t::text from public.blog_posts t union all select t::text from auth.users t union all select t::text from storage.objects t)`;

/** The sum of all files of an installation and of rows of its database on a server. */
async function digest(directory: string, databaseUrl: string | undefined): Promise<string> {
  const hash = createHash("sha256");
  for (const name of (await readdir(directory, { recursive: true })).toSorted()) {
    hash.update(name);
    hash.update(await readFile(join(directory, name)).catch(() => "a directory"));
  }
  if (databaseUrl !== undefined) hash.update(JSON.stringify(await query(databaseUrl, ROWS)));
  return hash.digest("hex");
}

async function query<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

function named(kind: string, { kills, changed, half, restoreMs }: Kills): Record<string, number> {
  return { [`${kind} kills`]: kills, [`${kind} changed`]: changed, [`${kind} half`]: half, [`${kind} restore ms`]: restoreMs };
}
