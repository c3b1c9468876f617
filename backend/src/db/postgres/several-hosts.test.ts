import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { startOwnPostgres, testLog } from "../../../test/database.ts";
import { createPostgresDatabase } from "../../../test/postgres/databases.ts";
import type { PostgresServer } from "../../../test/postgres/server.ts";
import type { Database } from "../database.ts";
import { openPostgres } from "./postgres.ts";

describe.skipIf(inject("postgres") === null)("a URL with the hosts of a standby and of its primary", () => {
  const cleanup = new AsyncDisposableStack();
  let primary: PostgresServer;
  let standby: PostgresServer;
  let database: Database;

  beforeAll(async () => {
    const start = async (options = {}): Promise<PostgresServer> =>
      cleanup.adopt(await startOwnPostgres(options), (server) => server.remove());
    primary = await start();
    await createPostgresDatabase(primary.url("postgres"), "main");
    await primary.stop();
    standby = await start({ standbyOf: primary });
    await primary.start();
    const hosts = [standby, primary].map((server) => new URL(server.url("main")).host);
    const url = `postgres://postgres@${hosts.join(",")}/main?sslmode=disable`;
    database = cleanup.adopt(await openPostgres({ url, poolSize: 2, log: testLog }), (opened) => opened.close());
  });
  afterAll(() => cleanup.disposeAsync());

  const run = (sql: string): Promise<unknown> => database.transaction((tx) => tx.query(sql));

  test("leads to the primary, and after its death to the standby, once that is promoted", async () => {
    await run("create table notes (text text)");
    await run("insert into notes values ('before')");
    await database.listen("news", () => undefined);
    const other = cleanup.adopt(await openPostgres({ url: standby.url("main"), poolSize: 1, log: testLog }), (opened) => opened.close());
    const ask = (sql: string): Promise<unknown> => other.transaction((tx) => tx.query(sql), { readOnly: true });
    await expect.poll(() => ask("select text from notes").catch(() => null)).toEqual([{ text: "before" }]);
    await primary.kill();
    await expect(run("insert into notes values ('lost')")).rejects.toMatchObject({ isOutage: true });
    await ask("select pg_promote()");
    await expect.poll(() => run("insert into notes values ('after') returning text").catch(() => null)).toEqual([{ text: "after" }]);
    expect(await run("select text from notes order by text desc")).toEqual([{ text: "before" }, { text: "after" }]);
  });
});
