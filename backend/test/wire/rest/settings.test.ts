import { beforeAll, beforeEach, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRestFixture, type RestFixture } from "./fixture.ts";

describeDatabases("a setting of the role authenticator", (open) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await openRestFixture(open);
    await rest.database.transaction((tx) =>
      tx.script(`
        create function check_request() returns void language plpgsql as $$ begin
          if current_setting('request.headers')::json ->> 'x-blocked' is not null then
            raise sqlstate 'PT420' using message = 'Enhance your calm';
          end if;
          perform set_config('response.headers', '[{"X-Checked": "yes"}]', true);
        end $$`),
    );
  });
  beforeEach(() => change("reset all"));

  /** Roles belong to the server, which other tests use, so the setting is for this database only. */
  async function change(setting: string): Promise<void> {
    const sql = `do $do$ begin execute format('alter role authenticator in database %I ${setting.replaceAll("'", "''")}', current_database()); end $do$`;
    await rest.database.transaction((tx) => tx.script(`${sql}; notify pgrst, 'reload config'`));
  }

  const status = async (path: string): Promise<number> => (await rest.raw(path)).status;
  const count = async (): Promise<number> => (await (await rest.raw("/courses")).json()).length;

  test("takes effect after the notification 'reload config' and ends when it is reset", async () => {
    expect([await status("/rooms?select=seats.sum()"), await count()]).toEqual([400, 4]);
    await change("set pgrst.db_aggregates_enabled = 'true'");
    await change("set pgrst.db_max_rows = '2'");
    await expect.poll(() => status("/rooms?select=seats.sum()")).toBe(200);
    await expect.poll(count).toBe(2);
    await change("reset all");
    await expect.poll(() => status("/rooms?select=seats.sum()")).toBe(400);
  });

  test("exposes other schemas", async () => {
    expect((await rest.anon.schema("hidden").from("grades").select()).status).toBe(406);
    await change("set pgrst.db_schemas = 'public, hidden'");
    await expect.poll(async () => (await rest.anon.schema("hidden").from("grades").select()).status).toBe(401);
    expect((await rest.anon.schema("library").from("books").select()).status).toBe(406);
  });

  test("names a function that is called before each request and may refuse it", async () => {
    expect((await rest.raw("/rooms")).headers.get("x-checked")).toBeNull();
    await change("set pgrst.db_pre_request = 'public.check_request'");
    await expect.poll(async () => (await rest.raw("/rooms")).headers.get("x-checked")).toBe("yes");
    const insert = {
      method: "POST",
      body: '{"id": "blocked", "building": "x", "seats": 1}',
      headers: { "X-Blocked": "1", "Content-Type": "application/json" },
    };
    const refused = await rest.raw("/rooms", insert);
    expect({ status: refused.status, body: await refused.json() }).toMatchObject({ status: 420, body: { message: "Enhance your calm" } });
    expect((await rest.anon.from("rooms").select("id").eq("id", "blocked")).data).toEqual([]);
  });

  test("that is invalid has no effect", async () => {
    await change("set pgrst.db_max_rows = 'many'");
    await change("set pgrst.db_aggregates_enabled = 'true'");
    await expect.poll(() => status("/rooms?select=seats.sum()")).toBe(200);
    expect(await count()).toBe(4);
  });
});
