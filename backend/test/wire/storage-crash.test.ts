import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, inject, test } from "vitest";
import { createRemovedBytes } from "../../src/storage/removed-bytes.ts";
import { openDiskBytes } from "../../src/storage/bytes/disk.ts";
import { createSweep } from "../../src/storage/sweep.ts";
import { openDatabase } from "../../src/index.ts";
import { createTestPostgres, prepareDataDirectory, testLog } from "../database.ts";
import { SHORT_LIVED, startServer } from "../server-process.ts";
import { TEMPORARY_FILES } from "../temporary-files.ts";

const KEYS = { PUBLISHABLE_KEY: "sb_publishable_crash-0123456789abcdef", SECRET_KEY: "sb_secret_crash-0123456789abcdef" };
const KILL_ROUNDS = Number(process.env.KILL_ROUNDS ?? 1);
const WORKERS = 6;
const BUCKET = "crash";

/** Prepares a database of each kind; `remove` deletes it. */
const drivers: Record<string, () => Promise<{ databaseUrl: string | undefined; remove: () => Promise<void> }>> = {
  PGlite: () => Promise.resolve({ databaseUrl: undefined, remove: () => Promise.resolve() }),
  Postgres: async () => {
    const { url, remove } = await createTestPostgres();
    return { databaseUrl: url, remove };
  },
};

describe.each(Object.entries(drivers))("uploads on %s", (name, prepare) => {
  const cleanup = new AsyncDisposableStack();
  afterAll(() => cleanup.disposeAsync());

  test.skipIf(name === "Postgres" && inject("postgres") === null)(
    `that were acknowledged survive kill -9 (rounds: ${KILL_ROUNDS}), and nothing else stays`,
    async () => {
      const directory = cleanup.adopt(await mkdtemp(join(TEMPORARY_FILES, "larkfell-crash-")), (path) =>
        rm(path, { recursive: true, force: true }),
      );
      const { databaseUrl, remove } = await prepare();
      cleanup.defer(remove);
      const supabaseDir = join(directory, "supabase");
      await mkdir(supabaseDir);
      await writeFile(join(supabaseDir, "config.toml"), `[storage.buckets.${BUCKET}]\npublic = true\n`);
      const dataDir = join(directory, "data");
      if (databaseUrl === undefined) prepareDataDirectory(dataDir);
      const env = {
        ...KEYS,
        START_FRESH: "secrets",
        LOG_LEVEL: "error",
        DATA_DIR: dataDir,
        SUPABASE_DIR: supabaseDir,
        ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      };

      /** The number of the last upload to each name that was acknowledged, and of the last that was sent. */
      const acknowledged = new Map<string, number>();
      const sent = new Map<string, number>();
      let uploads = 0;
      for (let round = 1; round <= KILL_ROUNDS; round += 1) {
        const { url, child, end } = cleanup.use(await startServer("server/backend.ts", env, { flags: SHORT_LIVED }));
        const until = uploads + 10 + Math.floor(Math.random() * 60);
        await Promise.all(
          Array.from({ length: WORKERS }, async (_, worker) => {
            // Some names are written repeatedly, others once.
            for (let turn = 0; child.signalCode === null; turn += 1) {
              const key = turn % 2 === 0 ? `again-${worker}` : `once-${worker + WORKERS * (round * 1000 + turn)}`;
              const number = Math.max(acknowledged.get(key) ?? 0, sent.get(key) ?? 0) + 1;
              sent.set(key, number);
              if ((await write(url, key, contentOf(key, number))) !== 200) continue;
              acknowledged.set(key, number);
              uploads += 1;
              if (uploads === until) child.kill("SIGKILL");
            }
          }),
        );
        await end("SIGKILL");

        await using stored = await openStored(dataDir, databaseUrl);
        const failed: string[] = [];
        for (const [key, last] of acknowledged) {
          const found = await stored.read(key);
          // Uploads sent after the acknowledged one may have been stored without an acknowledgement.
          const maybe = Array.from({ length: (sent.get(key) ?? last) - last + 1 }, (_number, index) => last + index);
          if (!maybe.some((number) => contentOf(key, number).equals(found)))
            failed.push(`${key} after ${last} is ${found.subarray(0, 40).toString()}`);
        }
        expect(failed).toEqual([]);
        expect(await stored.sweptKeys()).toEqual(await stored.versions());
        // Unacknowledged uploads may be missing; later rounds may write them again.
        for (const key of sent.keys()) if (!acknowledged.has(key)) sent.delete(key);
      }
      expect(uploads).toBeGreaterThanOrEqual(KILL_ROUNDS * 10);
    },
    60_000 + KILL_ROUNDS * 60_000,
  );
});

/** Up to 300 KB that identify their upload. */
function contentOf(key: string, number: number): Buffer {
  const seed = Buffer.from(key).reduce((sum, byte) => (sum * 31 + byte) % 9973, number * 7919);
  return Buffer.alloc(1000 + ((seed * 31) % 300_000), `${key} ${number};`);
}

/** The stored uploads of a process that has ended. */
interface Stored extends AsyncDisposable {
  /** The bytes of an upload; none if it is missing. */
  read(key: string): Promise<Buffer>;
  /** The keys of all bytes after a sweep, sorted. */
  sweptKeys(): Promise<string[]>;
  /** The keys of the bytes that the rows name, sorted. */
  versions(): Promise<string[]>;
}

async function openStored(dataDir: string, databaseUrl: string | undefined): Promise<Stored> {
  const database = await openDatabase({ dataDir, databaseUrl, log: testLog });
  const bytes = openDiskBytes(join(dataDir, "storage", "objects"));
  const rows = (): Promise<{ name: string; version: string }[]> =>
    database.transaction((tx) => tx.query<{ name: string; version: string }>("select name, version from storage.objects"));
  const versionOf = new Map((await rows()).map(({ name, version }) => [name, version]));
  return {
    async read(key) {
      const version = versionOf.get(key);
      return version === undefined ? Buffer.alloc(0) : Buffer.from(await new Response(await bytes.read(version)).arrayBuffer());
    },
    async sweptKeys() {
      const removedBytes = createRemovedBytes({ database, bytes, forget: () => Promise.resolve(), log: testLog });
      const soon = new Date(Date.now() + 60_000);
      // Every round may leave orphans, more than a sweep removes by default.
      await createSweep({ database, bytes, removedBytes, log: testLog }, "adopt").run(soon);
      const keys: string[] = [];
      for await (const key of bytes.keysBefore(soon)) keys.push(key);
      return keys.toSorted();
    },
    versions: async () => (await rows()).map(({ version }) => version).toSorted(),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

/** Returns the status of the response, or undefined if the server ended first. */
async function write(url: string, key: string, content: Buffer): Promise<number | undefined> {
  const headers = { apikey: KEYS.SECRET_KEY, "x-upsert": "true", "Content-Type": "text/plain" };
  try {
    const answer = await fetch(`${url}/storage/v1/object/${BUCKET}/${key}`, { method: "POST", headers, body: Uint8Array.from(content) });
    await answer.arrayBuffer();
    return answer.status;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
