import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { z } from "zod";
import { startOwnPostgres, testLog } from "../../../test/database.ts";
import { createPostgresDatabase, dropPostgresDatabase } from "../../../test/postgres/databases.ts";
import type { PostgresServer } from "../../../test/postgres/server.ts";
import type { Database } from "../../db/database.ts";
import { migratePlatform } from "../../db/migrate/migrate.ts";
import { openPostgres } from "../../db/postgres/postgres.ts";
import { createBackend, generateSigningKey } from "../../index.ts";

// Roles belong to a whole server, so these tests need one where nothing has been migrated yet.
describe.skipIf(inject("postgres") === null)("the platform's roles on a fresh server", () => {
  let server: PostgresServer;
  const opened: Database[] = [];

  beforeAll(async () => {
    server = await startOwnPostgres();
  });
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()));
    await server.remove();
  });

  const open = async (name: string, user = "postgres"): Promise<Database> => {
    const url = new URL(server.url(name));
    url.username = user;
    const database = await openPostgres({ url: url.href, poolSize: 1, log: testLog });
    opened.push(database);
    return database;
  };
  const sql = (database: Database, text: string): Promise<unknown[]> => database.transaction((tx) => tx.query(text));

  const become = async (database: Database, role: string): Promise<unknown> => {
    const [row] = await database.transaction(async (tx) => {
      await tx.query("select set_config('role', $1, true)", [role]);
      return tx.query("select current_user as role, auth.uid() as uid");
    });
    return row;
  };

  test("an owner without superuser rights and without BYPASSRLS, as on a managed server, runs the whole product", async () => {
    const superuser = await open("postgres");
    await sql(superuser, "create role tenant login createrole");
    await createPostgresDatabase(server.url(""), "managed");
    await sql(superuser, "alter database managed owner to tenant");
    const [publishableKey, secretKey] = ["sb_publishable_0123456789abcdef", "sb_secret_0123456789abcdef"];
    const backend = await createBackend({
      supabaseDir: "supabase",
      database: await open("managed", "tenant"),
      secrets: { publishableKey, secretKey, jwtSecret: "a secret of tokens with 32 characters", signingKeys: [await generateSigningKey()] },
      url: "http://larkfell.example",
      log: testLog,
    });
    const call = async (method: string, path: string, apikey: string, body?: object): Promise<unknown> => {
      const headers = { apikey, "content-type": "application/json", prefer: "return=representation" };
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      return (await backend.fetch(new Request(`http://larkfell.example${path}`, init))).json();
    };
    const when = "2030-01-07T09:00:00+00:00";
    const date = { course_name: "Manual Handling", course_date: when, capacity: 4 };
    const made = await call("POST", "/rest/v1/course_dates", secretKey, date);
    expect(made).toMatchObject([{ course_name: "Manual Handling" }]);
    const [{ id }] = z.tuple([z.object({ id: z.uuid() })]).parse(made);
    const booking = { course_id: id, name: "Ada", email: "ada@mail.example" };
    expect(await call("POST", "/rest/v1/bookings", secretKey, booking)).toMatchObject([{ name: "Ada" }]);
    expect(await call("GET", "/rest/v1/bookings?select=places", secretKey)).toEqual([{ places: 1 }]);
    expect(await call("GET", `/rest/v1/course_dates?id=eq.${id}&select=places_taken`, publishableKey)).toEqual([{ places_taken: 1 }]);
    expect(await call("GET", "/rest/v1/bookings?select=places", publishableKey)).toMatchObject({ code: "42501" });
    expect(await call("POST", "/rest/v1/rpc/figures", secretKey, {})).toMatchObject({ bookings: 1 });
    expect(await call("POST", "/storage/v1/bucket", secretKey, { name: "papers" })).toEqual({ name: "papers" });
    expect(await backend.createFirstAccount({ email: "jo@larkfell.example", password: "seven lanes to Penrith" })).toBe(true);
    await backend.close();
    await dropPostgresDatabase(server.url(""), "managed");
    await sql(superuser, "drop role anon, authenticated, service_role, authenticator, supabase_auth_admin, tenant");
  });

  test("four databases of an owner without superuser rights migrate concurrently", async () => {
    // Before PostgreSQL 16 only a superuser may make a role that passes row-level security.
    const owner = server.version >= 16 ? "app" : "postgres";
    const superuser = await open("postgres");
    await sql(superuser, "create role app login createrole bypassrls");
    const names = ["one", "two", "three", "four"];
    for (const name of names) {
      await createPostgresDatabase(server.url(""), name);
      await sql(superuser, `alter database ${name} owner to ${owner}`);
    }
    const databases = await Promise.all(names.map((name) => open(name, owner)));
    await Promise.all(databases.map((database) => migratePlatform(database, testLog)));
    const roles = `select rolname, rolbypassrls from pg_roles
      where rolname in ('anon', 'authenticated', 'service_role') and not rolcanlogin and not rolinherit order by 1`;
    expect(await sql(superuser, roles)).toEqual([
      { rolname: "anon", rolbypassrls: false },
      { rolname: "authenticated", rolbypassrls: false },
      { rolname: "service_role", rolbypassrls: true },
    ]);
    for (const database of databases)
      for (const role of ["anon", "authenticated", "service_role"]) expect(await become(database, role)).toEqual({ role, uid: null });
  });

  test("a database migrates once an operator ran the statements that the refusal names", async () => {
    const superuser = await open("postgres");
    await createPostgresDatabase(server.url(""), "five");
    await sql(superuser, "create role tenant login");
    await sql(superuser, "alter database five owner to tenant");
    const database = await open("five", "tenant");
    const refusal: unknown = await migratePlatform(database, testLog).catch((error: unknown) => error);
    const statements = /may, run: (.*)$/.exec(refusal instanceof Error ? refusal.message : "")?.[1] ?? "";
    expect(statements).toContain("grant service_role to tenant");
    await superuser.transaction((tx) => tx.script(statements));
    await migratePlatform(database, testLog);
    expect(await become(database, "service_role")).toEqual({ role: "service_role", uid: null });
  });

  test("only the owner can access a table without grants", async () => {
    const database = await open("one");
    await sql(database, "create table public.things (id integer)");
    const rights = `select role, has_table_privilege(role, 'public.things', 'select, insert, update, delete') as any_right
      from unnest(array['anon', 'authenticated', 'service_role']) as role order by 1`;
    expect(await sql(database, rights)).toEqual([
      { role: "anon", any_right: false },
      { role: "authenticated", any_right: false },
      { role: "service_role", any_right: false },
    ]);
  });
});
