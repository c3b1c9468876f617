import { expect, test } from "vitest";
import { describeDatabases } from "../../../test/database.ts";
import { ANON, feeds, run, SERVICE, subscribe, until, user } from "./feed-fixture.ts";

describeDatabases("a filter of a hostile subscriber", (open, kind) => {
  const start = feeds(open);

  test("that fails for a row hides nothing from others with equal claims", async () => {
    await using started = await start();
    const { database, feed } = started;
    const all = await subscribe(feed, ANON, { table: "open_notes" });
    const one = await subscribe(feed, ANON, { table: "open_notes", filter: "id=eq.1" });
    // A pattern that ends with the escape character fails when a text has reached its end.
    const failing = await subscribe(feed, ANON, { table: "open_notes", filter: "text=like.%\\" }, { table: "open_notes" });
    await run(database, "insert into open_notes values (1, 'a'), (2, 'b')");
    await until(() => expect(all.received.length).toBe(2));
    expect(all.received.map(({ record, errors }) => [record?.["id"], errors])).toEqual([
      [1, null],
      [2, null],
    ]);
    expect(one.received.map(({ record }) => record?.["id"])).toEqual([1]);
    const error = ["Error 500: Internal Server Error, RLS policy evaluation failed"];
    expect(failing.received.map(({ record, errors, matches }) => [record?.["id"], errors, matches])).toEqual([
      [undefined, error, [0]],
      [1, null, [1]],
      [undefined, error, [0]],
      [2, null, [1]],
    ]);
  });

  test("that takes too long ends its own subscription only", async () => {
    // The embedded database does not sleep but spends the time.
    const slowly = kind === "pglite" ? "select count(*) > 0 from generate_series(1, 100000000) a" : "select true from pg_sleep(300)";
    const script = `
      drop type if exists slow cascade;
      create type slow as (text text);
      create or replace function be_slow(slow, slow) returns boolean language sql strict volatile as $$ ${slowly} $$;
      create operator = (leftarg = slow, rightarg = slow, function = be_slow);
      alter table open_notes add column slow slow;
      alter table keyless add column slow slow;`;
    await using started = await start(script, 1000);
    const { database, feed } = started;
    const all = await subscribe(feed, ANON, { table: "open_notes" });
    let losses = 0;
    // After the first table the subscriber is removed, so that the second one is not checked.
    const requests = ["open_notes", "keyless"].map((table) => ({ event: "*" as const, schema: "public", table, filter: "slow=eq.(x)" }));
    const slow = await feed.subscribe(ANON, requests, () => expect.fail("The filter is too slow to match."), {
      onLoss: () => (losses += 1),
    });
    await run(database, "insert into open_notes values (1, 'a', row('x')); insert into keyless values ('a', row('x'))");
    await until(() => expect(all.received.length).toBe(1));
    expect([all.received[0]?.errors, losses]).toEqual([null, 1]);
    await run(database, "insert into open_notes values (2, 'b', row('x'))");
    await until(() => expect(all.received.length).toBe(2));
    expect(losses).toBe(1);
    slow.end();
  });

  test("on a column that the role may no longer read matches nothing", async () => {
    await using started = await start("grant select (secret) on notes to authenticated");
    const { database, feed } = started;
    const ann = await subscribe(feed, user("ann"), { table: "notes", filter: "secret=eq.s" });
    const staff = await subscribe(feed, SERVICE, { table: "notes" });
    await run(database, "insert into notes (id, owner, secret) values (1, 'ann', 's')");
    await until(() => expect([ann, staff].map(({ received }) => received.length)).toEqual([1, 1]));
    await run(database, "revoke select (secret) on notes from authenticated");
    await run(database, "insert into notes (id, owner, secret) values (2, 'ann', 's')");
    await until(() => expect(staff.received.length).toBe(2));
    expect(ann.received.map(({ record }) => record?.["id"])).toEqual([1]);
  });
});
