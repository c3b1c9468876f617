import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { createTestPostgres, prepareDataDirectory, testLog } from "backend/test/database.ts";
import { collectOutput, SHORT_LIVED, spawnEntry } from "backend/test/server-process.ts";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";
import { backendEnvironment, readEnvironment } from "server/environment/environment.ts";
import { startBackend } from "server/start-backend.ts";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { move } from "./commands/move.ts";

const STAFF = { email: "jo@larkfell.example", password: "seven lanes to Penrith" };
const BYTES = Buffer.from("The list of participants");
const URL_OF_SITE = "http://larkfell.example";

test.skipIf(inject("postgres") === null)(
  "`larkfell move` copies a data directory to a PostgreSQL server, which goes on with its files, secrets and sessions",
  async () => {
    await using cleanup = new AsyncDisposableStack();
    const dataDir = cleanup.adopt(await mkdtemp(join(TEMPORARY_FILES, "larkfell-move-")), (path) =>
      rm(path, { recursive: true, force: true }),
    );
    prepareDataDirectory(dataDir, inject("projectDatabase"));
    const postgres = await createTestPostgres({ platform: false });
    cleanup.defer(postgres.remove);

    async function serve<T>(env: Record<string, string>, work: (staff: SupabaseClient, service: SupabaseClient) => Promise<T>): Promise<T> {
      const options = { url: URL_OF_SITE, log: testLog };
      const backend = await startBackend(readEnvironment(backendEnvironment, { DATA_DIR: dataDir, ...env }), options);
      const fetch = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => backend.fetch(new Request(input, init));
      const { publishableKey, secretKey } = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
      const client = (key: string): SupabaseClient =>
        createClient(URL_OF_SITE, key, { auth: { persistSession: false, autoRefreshToken: false }, global: { fetch } });
      try {
        return await work(client(publishableKey), client(secretKey));
      } finally {
        await backend.close();
      }
    }
    async function runMove(): Promise<{ code: number | null; output: string }> {
      const child = spawnEntry("operations/larkfell.ts", { DATA_DIR: dataDir }, SHORT_LIVED, ["move", "--into", postgres.url]);
      const output = collectOutput(child);
      await once(child, "close");
      return { code: child.exitCode, output: output() };
    }

    const account = { STAFF_EMAIL: STAFF.email, STAFF_PASSWORD: STAFF.password, START_FRESH: "secrets" };
    const refreshToken = await serve(account, async (staff, service) => {
      const { data, error } = await staff.auth.signInWithPassword(STAFF);
      expect(error).toBeNull();
      await service.storage.createBucket("papers");
      expect((await service.storage.from("papers").upload("list.txt", BYTES)).error).toBeNull();
      return data.session?.refresh_token ?? "";
    });
    const names = await readdir(dataDir);
    // Nothing can be written beside a data directory that is a volume.
    const beside = `${dataDir}.moving`;
    cleanup.adopt(await mkdir(beside), () => rm(beside, { recursive: true, force: true }));

    expect(await runMove()).toEqual({
      code: 0,
      output: expect.stringMatching(/^Rows compared: (\d+) of \1\n.*moved \1 rows of \d+ tables/m),
    });
    expect(await readdir(dataDir)).toEqual(names);
    await serve({ DATABASE_URL: postgres.url }, async (staff, service) => {
      expect((await staff.auth.refreshSession({ refresh_token: refreshToken })).error).toBeNull();
      expect((await staff.auth.signInWithPassword(STAFF)).error).toBeNull();
      const { data } = await service.storage.from("papers").download("list.txt");
      expect(await data?.text()).toBe(BYTES.toString());
    });
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("DATA_DIR", dataDir);
    await expect(move({ into: postgres.url })).rejects.toThrow(/^The database is not empty /);
  },
);
