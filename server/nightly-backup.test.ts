import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { constants, getPriority, setPriority } from "node:os";
import { join } from "node:path";
import { openDatabase } from "backend";
import { createTestPostgres, prepareDataDirectory } from "backend/test/database.ts";
import { serveHttp } from "backend/test/http-server.ts";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { type BackendEnvironment, backendEnvironment, readEnvironment } from "./environment/environment.ts";
import { startBackend, type RunningBackend } from "./start-backend.ts";

const SECRET_KEY = "sb_secret_nightly-backup-0123456789abcdef";
const STAFF = { STAFF_EMAIL: "jo@larkfell.example", STAFF_PASSWORD: "seven lanes to Penrith" };
const OTHERS = { JWT_SECRET: "a secret of tokens with 32 characters", SMTP_URL: "smtp://mail.example" };

interface Started {
  backend: RunningBackend;
  /** The processes that make backups. */
  pids: readonly number[];
  run: () => Promise<void>;
}

describe.each([["the embedded database"], ["a PostgreSQL server"]])("the nightly backup of %s", (kind) => {
  const onServer = kind === "a PostgreSQL server";
  describe.skipIf(onServer && inject("postgres") === null)("of a running server", () => {
    const cleanup = new AsyncDisposableStack();
    let folder: string;
    let env: BackendEnvironment;

    beforeAll(async () => {
      const directory = cleanup.adopt(await mkdtemp(join(TEMPORARY_FILES, "larkfell-nightly-")), (path) =>
        rm(path, { recursive: true, force: true }),
      );
      const DATA_DIR = join(directory, "data");
      folder = join(directory, "backups");
      vi.stubEnv("TMPDIR", directory);
      const variables = { DATA_DIR, BACKUP_DIR: folder, BACKUP_PASSPHRASE: "words of a passphrase", SECRET_KEY, ...STAFF, ...OTHERS };
      if (onServer) {
        const postgres = await createTestPostgres({ prepared: inject("projectDatabase") });
        cleanup.defer(postgres.remove);
        env = readEnvironment(backendEnvironment, { ...variables, DATABASE_URL: postgres.url });
      } else {
        prepareDataDirectory(DATA_DIR, inject("projectDatabase"));
        env = readEnvironment(backendEnvironment, { ...variables, START_FRESH: "secrets" });
      }
    });
    afterAll(async () => {
      vi.unstubAllEnvs();
      await cleanup.disposeAsync();
    });

    /** Starts the server at a time of the database's clock. */
    async function startAt(time: string): Promise<Started & AsyncDisposable> {
      const pids: number[] = [];
      const log = pino(
        { level: "info" },
        { write: (line) => void pids.push(...[JSON.parse(line)].flatMap(({ night, pid }) => (night ? [pid] : []))) },
      );
      let backend: RunningBackend | undefined;
      const http = await serveHttp((request) => backend?.fetch(request) ?? Promise.reject(new Error("not started")));
      const options = { url: http.url, port: Number(new URL(http.url).port), log };
      const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, SUPABASE_DIR: supabaseDir } = env;
      const stopped = await openDatabase({ dataDir, databaseUrl, supabaseDir, log });
      const clock = `create or replace function private.now() returns timestamptz language sql stable parallel safe as $$ select timestamptz '${time}' $$`;
      await stopped.transaction((tx) => tx.script(clock));
      await stopped.close();
      const started = await startBackend(env, options);
      backend = started;
      return {
        backend: started,
        pids,
        run: async () => started.jobs.find(({ name }) => name === "nightly-backup")?.run(),
        async [Symbol.asyncDispose]() {
          await started.close();
          await http.close();
        },
      };
    }
    /** The process that makes a backup. It gets the usual priority, if this is allowed: beside other tests it would take a minute. */
    async function begunProcess({ pids }: Started): Promise<number> {
      await expect.poll(() => pids).toHaveLength(1);
      const [pid = 0] = pids;
      expect(getPriority(pid)).toBe(constants.priority.PRIORITY_LOW);
      if (process.getuid?.() === 0) setPriority(pid, constants.priority.PRIORITY_NORMAL);
      return pid;
    }
    async function stateOf({ fetch }: RunningBackend): Promise<unknown> {
      const post = async (path: string, key: string, body: object): Promise<unknown> => {
        const headers = { apikey: SECRET_KEY, Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
        return (await fetch(new Request(`http://larkfell.example${path}`, { method: "POST", headers, body: JSON.stringify(body) }))).json();
      };
      const session = await post("/auth/v1/token?grant_type=password", SECRET_KEY, {
        email: STAFF.STAFF_EMAIL,
        password: STAFF.STAFF_PASSWORD,
      });
      if (typeof session !== "object" || session === null || !("access_token" in session)) throw new Error("no session");
      return post("/rest/v1/rpc/backup_state", String(session.access_token), {});
    }

    test("is made once, and checked in another process, which knows no other secret of the server", async () => {
      for (const [name, value] of Object.entries({ ...OTHERS, NODE_COMPILE_CACHE: "node_modules/.cache/node" })) vi.stubEnv(name, value);
      await using server = await startAt("2031-01-15T06:12:00Z");
      const running = Promise.all([server.run(), server.run()]);
      const pid = await begunProcess(server);
      if (process.platform === "linux") {
        const environment = (): Promise<string> => readFile(`/proc/${pid}/environ`, "utf8");
        await expect.poll(environment).toContain("BACKUP_PASSPHRASE=");
        for (const secret of [...Object.values(OTHERS), STAFF.STAFF_PASSWORD]) expect(await environment()).not.toContain(secret);
      }
      await running;
      await server.run();
      expect(server.pids).toHaveLength(1);
      expect(await readdir(folder)).toEqual(["larkfell-2031-01-15.tar"]);
      expect(await readdir(env.DATA_DIR)).not.toContain("node_modules");
      expect(await stateOf(server.backend)).toEqual([
        { state: "checked", checked_at: "2031-01-15T06:12:00+00:00", row_count: expect.any(Number), problem: null },
      ]);
    });

    // These depend on the archive and on the process that makes or checks it, not on the database.
    if (!onServer) return;

    test("ends with its server", async () => {
      let running: Promise<void>;
      {
        await using server = await startAt("2031-01-14T03:12:00Z");
        running = server.run();
        await begunProcess(server);
      }
      await running;
      expect(await readdir(folder)).not.toContain("larkfell-2031-01-14.tar");
    });

    test("fails if one bit of the newest copy is damaged", async () => {
      const bytes = await readFile(join(folder, "larkfell-2031-01-15.tar"));
      const position = Math.floor(bytes.length / 2);
      bytes.writeUInt8(bytes.readUInt8(position) ^ 1, position);
      await writeFile(join(folder, "larkfell-2031-01-16.tar"), bytes);
      await using server = await startAt("2031-01-16T14:00:00Z");
      const running = server.run();
      await begunProcess(server);
      await running;
      expect(await stateOf(server.backend)).toMatchObject([{ state: "failed", problem: "damaged" }]);
    });

    test("fails if its process is killed", async () => {
      await using server = await startAt("2031-01-17T03:00:00Z");
      const running = server.run();
      process.kill(await begunProcess(server), "SIGKILL");
      await running;
      expect(await stateOf(server.backend)).toMatchObject([{ state: "failed", problem: "crashed" }]);
    });
  });
});
