import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { startOwnPostgres, testLog } from "backend/test/database.ts";
import { createPostgresDatabase } from "backend/test/postgres/databases.ts";
import type { PostgresServer } from "backend/test/postgres/server.ts";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { backendEnvironment, readEnvironment } from "./environment/environment.ts";
import { startFailure } from "./process.ts";
import { startBackend, type RunningBackend } from "./start-backend.ts";

const ACCOUNT = { STAFF_EMAIL: "jo@larkfell.example", STAFF_PASSWORD: "seven lanes" };
const ROLES = "anon, authenticated, service_role, authenticator, supabase_auth_admin";

// Roles belong to a whole server, so these tests need one of their own.
describe.skipIf(inject("postgres") === null)("a database that was restored without its roles", () => {
  const cleanup = new AsyncDisposableStack();
  let server: PostgresServer;
  let url: URL;
  let env: Record<string, string>;

  beforeAll(async () => {
    server = cleanup.adopt(await startOwnPostgres(), ({ remove }) => remove());
    url = new URL(await createPostgresDatabase(server.url("postgres"), "restored"));
    await administer("create role app login createrole bypassrls; alter database restored owner to app");
    url.username = "app";
    const dataDir = cleanup.adopt(await mkdtemp(join(TEMPORARY_FILES, "larkfell-restored-")), (path) =>
      rm(path, { recursive: true, force: true }),
    );
    env = { DATA_DIR: dataDir, DATABASE_URL: url.href, ...ACCOUNT };
    await (await start()).close();
    await administer(`drop owned by ${ROLES}; drop role ${ROLES}`);
  });
  afterAll(() => cleanup.disposeAsync());

  async function administer(script: string): Promise<void> {
    const client = new pg.Client({ connectionString: server.url("restored") });
    await client.connect();
    await client.query(script);
    await client.end();
  }

  function start(): Promise<RunningBackend> {
    return startBackend(readEnvironment(backendEnvironment, env), { url: "http://127.0.0.1:1", log: testLog });
  }

  /** Expects that a start is refused, and returns the only line that it would print. */
  async function refusal(): Promise<string> {
    const outcome = await start().then(
      (backend) => backend.close(),
      (error: unknown) => startFailure(error),
    );
    expect(outcome).toMatch(/^[^\n]+$/);
    return String(outcome);
  }

  test("is refused with the statements for a superuser if its owner may not create them", async () => {
    await administer("alter role app nocreaterole");
    const line = await refusal();
    const statements = /As a superuser or a role that may, run: (.*;) \(42501\)$/.exec(line)?.[1];
    expect(statements).toContain("create role anon nologin noinherit; ");
    await administer(statements ?? "");
    expect(await refusal()).toContain("restore the backup into an empty database again");
  });

  test("is refused after its roles were created, because its grants are missing, each time", async () => {
    await administer(`drop role ${ROLES}; alter role app createrole`);
    for (const _attempt of [1, 2])
      expect(await refusal()).toMatch(/its grants and policies are missing.* restore the backup into an empty database again\. \(42501\)$/);
    url.pathname = "/empty";
    await createPostgresDatabase(server.url("postgres"), "empty");
    await administer("alter database empty owner to app");
    env = { ...env, DATABASE_URL: url.href };
    await (await start()).close();
  });
});
