import { startOwnPostgres } from "backend/test/database.ts";
import type { PostgresServer } from "backend/test/postgres-server.ts";
import { createPostgresDatabase } from "backend/test/postgres-databases.ts";
import pg from "pg";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { runToEnd, startProcess, STAFF_ENV, temporaryDirectory } from "../support/product.ts";

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
    env = { DATA_DIR: cleanup.use(await temporaryDirectory(TEMPORARY_FILES)).path, DATABASE_URL: url.href, ...STAFF_ENV };
    await using first = await startProcess("server/build/site.js", env);
    await first.stop();
    await administer(`drop owned by ${ROLES}; drop role ${ROLES}`);
  });
  afterAll(() => cleanup.disposeAsync());

  async function administer(script: string): Promise<void> {
    const client = new pg.Client({ connectionString: server.url("restored") });
    await client.connect();
    await client.query(script);
    await client.end();
  }

  async function refusal(): Promise<string> {
    const { code, output } = await runToEnd("server/build/site.js", { PORT: "0", ...env });
    expect(output).not.toContain("Ready");
    expect(code).toBe(1);
    const last = output.trim().split("\n").at(-1) ?? "";
    expect(output).not.toMatch(/\n\s+at /);
    return last;
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
    for (let start = 0; start < 2; start += 1)
      expect(await refusal()).toMatch(/its grants and policies are missing.* restore the backup into an empty database again\. \(42501\)$/);
    url.pathname = "/empty";
    await createPostgresDatabase(server.url("postgres"), "empty");
    await administer("alter database empty owner to app");
    await using site = await startProcess("server/build/site.js", { ...env, DATABASE_URL: url.href });
    await expect.poll(async () => (await fetch(`${site.url}/health`)).status).toBe(200);
  });
});
