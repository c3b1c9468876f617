import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createTestPostgres, testLog } from "../../../test/database.ts";
import { startTransactionPooler, type TransactionPooler } from "../../../test/transaction-pooler.ts";
import { asIdentity } from "../as-identity.ts";
import type { Database } from "../database.ts";
import { openPostgres } from "./postgres.ts";

const REQUEST = { method: "GET", path: "/", headers: {} };

describe.skipIf(inject("postgres") === null)("behind a pooler that gives every transaction another connection", () => {
  let pooler: TransactionPooler;
  let database: Database;
  let remove: () => Promise<void>;
  let url: string;

  beforeAll(async () => {
    const made = await createTestPostgres();
    ({ remove } = made);
    pooler = await startTransactionPooler(made.url);
    url = pooler.url(made.url);
    database = await openPostgres({ url: `${url}&pgbouncer=true`, poolSize: 2, log: testLog });
    await database.transaction((tx) => tx.script("create table item (id int); grant select, insert on item to anon"));
  });
  afterAll(async () => {
    await database.close();
    await pooler.close();
    await remove();
  });

  test("each transaction uses one connection", async () => {
    const pids = await Promise.all(
      Array.from({ length: 30 }, async (_, id) => {
        const [first, second] = await database.transaction(async (tx) => {
          const before = await tx.query<{ pid: number }>("select pg_backend_pid() as pid");
          await tx.query("insert into item values ($1)", [id]);
          return [...before, ...(await tx.query<{ pid: number }>("select pg_backend_pid() as pid"))];
        });
        expect(second).toEqual(first);
        return first?.pid;
      }),
    );
    expect(new Set(pids).size).toBe(6);
    expect(await database.transaction((tx) => tx.query("select count(*) from item"))).toEqual([{ count: 30 }]);
  });

  test("a connection keeps no setting of a caller after success or failure", async () => {
    const caller = { role: "anon", claims: { role: "anon", sub: "somebody" }, authenticated: false };
    const read = (sql: string) => asIdentity(database, caller, REQUEST, (tx) => tx.last(sql), { readOnly: true });
    const rows = await Promise.all(Array.from({ length: 12 }, () => read("select current_user::text as who")));
    expect(rows).toEqual(Array.from({ length: 12 }, () => [{ who: "anon" }]));
    await Promise.allSettled(Array.from({ length: 12 }, () => read("select 1 / 0")));
    const left = await Promise.all(
      Array.from({ length: 12 }, () =>
        database.transaction((tx) =>
          tx.query(
            "select current_user = session_user as own, coalesce(current_setting('request.jwt.claims', true), '') as claims, (select count(*) from pg_prepared_statements) as kept",
          ),
        ),
      ),
    );
    expect(left).toEqual(Array.from({ length: 12 }, () => [{ own: true, claims: "", kept: 0 }]));
  });

  test("prepared statements that are missing on a connection are prepared again if they are not switched off", async () => {
    const unaware = await openPostgres({ url, poolSize: 1, log: testLog });
    for (let round = 0; round < 6; round += 1) {
      expect(await unaware.transaction((tx) => tx.query("select $1::int as n", [round]))).toEqual([{ n: round }]);
    }
    await unaware.close();
  });
});
