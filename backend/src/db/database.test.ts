import { setTimeout as delay } from "node:timers/promises";
import pino from "pino";
import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../test/database.ts";
import { type Database, DatabaseError, type Transaction } from "./database.ts";

const TABLES = `
  create table item (id int primary key, name text not null, parent int references item deferrable initially deferred);
  insert into item (id, name) values (1, 'one');
`;

describeDatabases("a transaction", (open, kind) => {
  let database: Database;
  beforeAll(async () => {
    database = await open({ scripts: [TABLES] });
  });

  async function names(): Promise<unknown[]> {
    return (await database.transaction((tx) => tx.query("select name from item order by id"))).map(({ name }) => name);
  }

  test("keeps what it wrote and returns what its work returned", async () => {
    const result = await database.transaction(async (tx) => {
      await tx.query("insert into item (id, name) values ($1, $2)", [2, "two"]);
      return "done";
    });
    expect(result).toBe("done");
    expect(await names()).toEqual(["one", "two"]);
    await database.transaction((tx) => tx.query("delete from item where id = 2"));
  });

  test("rolls back when its work throws, and rethrows the error", async () => {
    const reason = new Error("changed my mind");
    const transaction = database.transaction(async (tx) => {
      await tx.query("insert into item (id, name) values (2, 'two')");
      throw reason;
    });
    await expect(transaction).rejects.toBe(reason);
    expect(await names()).toEqual(["one"]);
  });

  test("fails with the error that Postgres reports", async () => {
    const duplicate = failure(database.transaction((tx) => tx.query("insert into item (id, name) values (1, 'again')")));
    expect(await duplicate).toMatchObject({ code: "23505", constraint: "item_pkey", detail: "Key (id)=(1) already exists." });
    expect(await failure(database.transaction((tx) => tx.query("select nme from item")))).toMatchObject({
      code: "42703",
      position: 8,
      hint: 'Perhaps you meant to reference the column "item.name".',
    });
  });

  test("does not log the row values in an error", async () => {
    const error = await failure(database.transaction((tx) => tx.query("insert into item (id, name) values (1, 'again')")));
    const lines: string[] = [];
    pino({ base: null }, { write: (line: string) => lines.push(line) }).error({ err: error }, "failed");
    expect(lines.join("")).toContain("23505");
    expect(lines.join("")).not.toContain("(id)=(1)");
  });

  test("fails with the first error even if its work catches it", async () => {
    const transaction = database.transaction(async (tx) => {
      await tx.query("insert into item (id, name) values (2, 'two')");
      await tx.query("select 1 / 0").catch(() => undefined);
      await tx.query("select 1").catch(() => undefined);
    });
    expect(await failure(transaction)).toMatchObject({ code: "22012" });
    expect(await names()).toEqual(["one"]);
  });

  test("fails with the error of a statement that was not awaited", async () => {
    const transaction = database.transaction(async (tx) => {
      void tx.query("select 1 / 0");
    });
    expect(await failure(transaction)).toMatchObject({ code: "22012" });
  });

  test("continues after a rollback to a savepoint", async () => {
    const rows = await database.transaction(async (tx) => {
      await tx.query("savepoint before");
      await tx.query("select 1 / 0").catch(() => undefined);
      await tx.query("rollback to before");
      return tx.query("select 1 as one");
    });
    expect(rows).toEqual([{ one: 1 }]);
  });

  test("fails by a deferred constraint without affecting the next transaction", async () => {
    const failing = failure(database.transaction((tx) => tx.query("insert into item values (2, 'two', 99)")));
    const next = database.transaction((tx) => tx.query("insert into item values (3, 'three', 1)"));
    expect(await failing).toMatchObject({ code: "23503", constraint: "item_parent_fkey" });
    await next;
    expect(await names()).toEqual(["one", "three"]);
    await database.transaction((tx) => tx.query("delete from item where id = 3"));
  });

  test("that is read only refuses to write", async () => {
    const write = database.transaction((tx) => tx.query("delete from item"), { readOnly: true });
    expect(await failure(write)).toMatchObject({ code: "25006" });
  });

  test("answers statements sent together in their order", async () => {
    const rows = await database.transaction((tx) => Promise.all([1, 2, 3].map((number) => tx.query("select $1::int as number", [number]))));
    expect(rows).toEqual([[{ number: 1 }], [{ number: 2 }], [{ number: 3 }]]);
  });

  test("is isolated from concurrent transactions", async () => {
    await database.transaction((tx) => tx.script("create table counter (value int); insert into counter values (0)"));
    const increment = async (tx: Transaction): Promise<void> => {
      const [row] = await tx.query<{ value: number }>("select value from counter for update");
      await delay(1);
      await tx.query("update counter set value = $1", [(row?.value ?? 0) + 1]);
    };
    await Promise.all(Array.from({ length: 20 }, () => database.transaction(increment)));
    expect(await database.transaction((tx) => tx.query("select value from counter"))).toEqual([{ value: 20 }]);
  });

  test.runIf(kind === "pglite")("waits for earlier transactions, as reader or writer", async () => {
    const order: number[] = [];
    const turns = [false, true, true, false, true].map((readOnly, index) =>
      database.transaction(
        async (tx) => {
          await tx.query("select 1");
          order.push(index);
        },
        { readOnly },
      ),
    );
    await Promise.all(turns);
    expect(order).toEqual([0, 1, 2, 3, 4]);
  });

  test("refuses a statement after its end", async () => {
    const late = await database.transaction((tx) => Promise.resolve(tx));
    expect(await failure(late.query("select 1"))).toMatchObject({ code: "25P01" });
  });

  test("ends with the statement declared last if it is read only, and continues if it writes", async () => {
    const last = (text: string, readOnly: boolean, after?: string) =>
      database.transaction(
        async (tx) => {
          const rows = await tx.last(text);
          return after === undefined ? rows : tx.query(after);
        },
        { readOnly },
      );
    expect(await last("select 1 as one", true)).toEqual([{ one: 1 }]);
    expect(await failure(last("select 1 / 0", true))).toMatchObject({ code: "22012" });
    expect(await failure(last("delete from item", true))).toMatchObject({ code: "25006" });
    expect(await failure(last("select 1", true, "select 2"))).toMatchObject({ code: "25P01" });
    expect(await failure(last("insert into item (id, name) values (7, 'seven')", false, "select 1 / 0"))).toMatchObject({ code: "22012" });
    expect(await names()).toEqual(["one"]);
    expect(await last("select 1", false, "select 2 as two")).toEqual([{ two: 2 }]);
  });

  test("fails with the error of an unawaited statement when its commit was sent together with it", async () => {
    const transaction = database.transaction(
      async (tx) => {
        void tx.query("select 1 / 0");
        return tx.last("select 1").catch(() => []);
      },
      { readOnly: true },
    );
    expect(await failure(transaction)).toMatchObject({ code: "22012" });
  });

  test("refuses several statements in one query, and zero bytes", async () => {
    const query = (text: string, value?: string) =>
      failure(database.transaction((tx) => tx.query(text, value === undefined ? [] : [value])));
    expect(await query("select 1; select 2")).toMatchObject({ code: "42601" });
    expect(await query("select 1 \0 from item")).toMatchObject({ code: "22021" });
    expect(await query("select $1::text", "a\0b")).toMatchObject({ code: "22021" });
  });

  test("runs a script of many statements", async () => {
    const count = await database.transaction(async (tx) => {
      await tx.script(
        "create table a (x int); insert into a values (1), (2); create function f() returns int language sql as $$ select 1; $$;",
      );
      return tx.query("select count(*) from a");
    });
    expect(count).toEqual([{ count: 2 }]);
  });

  test("runs more different statements than the statement cache holds", async () => {
    for (let start = 0; start < 600; start += 50) {
      const numbers = Array.from({ length: 50 }, (_, index) => start + index);
      const rows = await database.transaction((tx) => Promise.all(numbers.map((number) => tx.query(`select ${number}::int as n`))));
      expect(rows).toEqual(numbers.map((n) => [{ n }]));
    }
  });

  test("reads a table whose columns have changed, with its own role and without repeating writes", async () => {
    await database.transaction((tx) =>
      tx.script("create table shape (a int); insert into shape values (1); grant select on shape to anon"),
    );
    const read = (how: "query" | "last") =>
      database.transaction(
        async (tx) => {
          void tx.query("select set_config('role', 'anon', true)");
          return tx[how]("select *, current_user as who from shape");
        },
        { readOnly: true },
      );
    const all = () => Promise.all([read("last"), read("query"), read("last"), read("query")]);
    await all();
    await database.transaction((tx) => tx.script("alter table shape add b int default 2"));
    expect(await all()).toEqual(Array.from({ length: 4 }, () => [{ a: 1, b: 2, who: "anon" }]));
    await database.transaction((tx) => tx.script("alter table shape drop a"));
    expect(await all()).toEqual(Array.from({ length: 4 }, () => [{ b: 2, who: "anon" }]));
    await database.transaction((tx) => tx.script("alter table shape rename b to c"));
    expect(await all()).toEqual(Array.from({ length: 4 }, () => [{ c: 2, who: "anon" }]));
    await database.transaction((tx) => tx.script("alter table shape alter c type text"));
    expect(await all()).toEqual(Array.from({ length: 4 }, () => [{ c: "2", who: "anon" }]));
  });

  test("prepares a statement again after it was deallocated", async () => {
    const one = () => database.transaction((tx) => tx.query("select 1 as one"));
    await Promise.all([one(), one(), one(), one()]);
    await Promise.all([1, 2, 3, 4].map(() => database.transaction((tx) => tx.script("deallocate all"))));
    expect(await Promise.all([one(), one(), one(), one()])).toEqual(Array.from({ length: 4 }, () => [{ one: 1 }]));
  });
});

describeDatabases("cancelling", (open) => {
  test("drops a transaction that is waiting or has not begun", async () => {
    const database = await open();
    const release = Promise.withResolvers<void>();
    const busy = Array.from({ length: 4 }, () => database.transaction(() => release.promise));
    const controller = new AbortController();
    let ran = false;
    const waiting = database.transaction(
      async () => {
        ran = true;
      },
      { signal: controller.signal },
    );
    controller.abort();
    expect(await failure(waiting)).toMatchObject({ code: "57014" });
    release.resolve();
    await Promise.all(busy);
    expect(await failure(database.transaction(async () => undefined, { signal: controller.signal }))).toMatchObject({ code: "57014" });
    expect(ran).toBe(false);
  });

  test("ends a transaction at its next statement and rolls it back", async () => {
    const database = await open({ scripts: ["create table written (x int)"] });
    const controller = new AbortController();
    const transaction = database.transaction(
      async (tx) => {
        await tx.query("insert into written values (1)");
        controller.abort();
        await tx.query("insert into written values (2)");
      },
      { signal: controller.signal },
    );
    expect(await failure(transaction)).toMatchObject({ code: "57014" });
    expect(await database.transaction((tx) => tx.query("select * from written"))).toEqual([]);
  });
});

describeDatabases("closing", (open) => {
  test("waits for running transactions, and refuses waiting and new ones", async () => {
    const database = await open();
    const running = Array.from({ length: 4 }, () =>
      database.transaction(async (tx) => {
        await delay(50);
        return tx.query("select 1 as one");
      }),
    );
    const waiting = failure(database.transaction((tx) => tx.query("select 1")));
    const [closed] = [database.close(), database.close()];
    expect((await Promise.allSettled(running)).some(({ status }) => status === "fulfilled")).toBe(true);
    expect(await waiting).toMatchObject({ code: "08003" });
    await closed;
    expect(await failure(database.transaction((tx) => tx.query("select 1")))).toMatchObject({ code: "08003" });
    expect(await failure(database.listen("channel", () => undefined))).toMatchObject({ code: /^080/ });
  });
});

async function failure(promise: Promise<unknown>): Promise<unknown> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DatabaseError);
  return error;
}
