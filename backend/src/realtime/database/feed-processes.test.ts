import { expect, test, vi } from "vitest";
import { describeDatabases, testLog } from "../../../test/database.ts";
import { createDatabaseBudget } from "../../anonymous/database-budget.ts";
import { ANON, feeds, run, SERVICE, subscribe, until, user } from "./feed-fixture.ts";
import { openFeed } from "./feed.ts";
import type { ChangeRequest } from "./requests.ts";

describeDatabases("the feed of messages and processes", (open, kind) => {
  const start = feeds(open);

  test("answers for private topics what the policies on realtime.messages say", async () => {
    const policies = `
      create policy "own topic" on realtime.messages for select to authenticated using (realtime.topic() = auth.jwt() ->> 'sub');
      create policy "own broadcast" on realtime.messages for insert to authenticated with check (topic = auth.jwt() ->> 'sub' and extension = 'broadcast');`;
    await using started = await start(policies);
    const { feed } = started;
    const none = { read: false, write: false };
    expect(await feed.authorise(user("ann"), "ann")).toEqual({
      broadcast: { read: true, write: true },
      presence: { read: true, write: false },
    });
    expect(await feed.authorise(user("ann"), "bob")).toEqual({ broadcast: none, presence: none });
    expect(await feed.authorise(ANON, "ann")).toEqual({ broadcast: none, presence: none });
    expect((await feed.authorise(SERVICE, "ann")).presence.write).toBe(true);
  });

  test("gives no right that the privileges on realtime.messages exclude, whatever the policies say", async () => {
    await using started = await start(`create policy "all read" on realtime.messages for all using (true)`);
    const { database, feed } = started;
    await using _restored = {
      [Symbol.asyncDispose]: () => run(database, "grant select, insert on realtime.messages to authenticated"),
    };
    const rightsOfAnn = async () => (await feed.authorise(user("ann"), "room")).broadcast;
    expect(await rightsOfAnn()).toEqual({ read: true, write: true });
    await run(database, "revoke insert on realtime.messages from authenticated");
    expect(await rightsOfAnn()).toEqual({ read: true, write: false });
    await run(database, "revoke select on realtime.messages from authenticated");
    expect(await rightsOfAnn()).toEqual({ read: false, write: false });
  });

  test("delivers messages of SQL and replays private ones", async () => {
    await using started = await start(`create policy "all read" on realtime.messages for select to authenticated using (true)`);
    const { database, feed } = started;
    const messages: unknown[] = [];
    feed.onMessage(({ topic, event, payload, binary, private: isPrivate }) => messages.push([topic, event, payload, binary, isPrivate]));
    await run(database, `select realtime.send('{"n": 1, "id": "x"}', 'news', 'room')`);
    await run(
      database,
      `select realtime.send('{"n": 2, "id": "y"}', 'news', 'room', false); select realtime.send_binary('\\x0102', 'bytes', 'room')`,
    );
    await run(
      database,
      "do $$ declare r record; begin select 1 as id into r; perform realtime.broadcast_changes('room', 'INSERT', 'INSERT', 'notes', 'public', r, null); end $$",
    );
    await until(() => expect(messages.length).toBe(4));
    expect(messages.slice(0, 3)).toEqual([
      ["room", "news", { n: 1, id: "x" }, false, true],
      ["room", "news", { n: 2, id: "y" }, false, false],
      ["room", "bytes", Buffer.from([1, 2]), true, true],
    ]);
    const record = { record: { id: 1 }, old_record: null, operation: "INSERT", table: "notes", schema: "public" };
    expect(messages[3]).toMatchObject(["room", "INSERT", record, false, true]);
    expect((await feed.replay(user("ann"), "room", 0, 10)).messages).toMatchObject([
      { payload: { n: 1 }, binary: false },
      { payload: Buffer.from([1, 2]), binary: true },
      { event: "INSERT" },
    ]);
    expect((await feed.replay(ANON, "room", 0, 10)).messages).toEqual([]);
  });

  test("keeps the outbox and the readers from the API roles", async () => {
    await using started = await start();
    const { database } = started;
    for (const role of ["anon", "authenticated", "service_role"])
      for (const table of ["outbox", "readers"]) {
        const reading = database.transaction(async (tx) => {
          await tx.query(`set local role ${role}`);
          await tx.query(`select from realtime.${table}`);
        });
        await expect(reading).rejects.toMatchObject({ code: "42501" });
      }
  });

  test("notifies subscribers that changes may be missing once its lease has ended, and goes on", async () => {
    await using started = await start();
    const { database, feed } = started;
    const onLoss = vi.fn<() => void>();
    const received: object[] = [];
    const request: ChangeRequest = { event: "*", schema: "public", table: "open_notes" };
    await feed.subscribe(ANON, [request], (changes) => received.push(...changes.map(({ data }) => data)), { onLoss });
    await run(database, "update realtime.readers set leased_until = now(); select auth.announce('realtime', 'readers')");
    await until(() => expect(onLoss).toHaveBeenCalledOnce());
    await run(database, "insert into open_notes values (1, 'a')");
    await until(() => expect(received.length).toBe(1));
  });

  test.skipIf(kind === "pglite")("loses nothing when its connections are lost", async () => {
    await using started = await start();
    const { database, feed } = started;
    const { received } = await subscribe(feed, ANON, { table: "open_notes" });
    await run(
      database,
      `insert into open_notes values (1, 'a');
      select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid();
      insert into open_notes values (2, 'b')`,
    );
    await until(() => run(database, "insert into open_notes values (3, 'c')"));
    await until(() => expect(received.map(({ record }) => record?.["id"])).toEqual([1, 2, 3]));
  });

  test.skipIf(kind === "pglite")("shares messages and changes between processes", async () => {
    await using started = await start();
    const { database, feed } = started;
    await using other = await openFeed({ database, budget: createDatabaseBudget(), log: testLog });
    const messages: unknown[] = [];
    const own: unknown[] = [];
    const isFirst = (payload: unknown): boolean => JSON.stringify(payload).startsWith('{"n":0');
    let isConnected = false;
    other.onMessage(({ payload }) => {
      if (isFirst(payload)) isConnected = true;
      else messages.push(payload);
    });
    feed.onMessage(({ payload }) => own.push(payload));
    const { received } = await subscribe(other, ANON, { table: "open_notes" });
    const { received: here } = await subscribe(feed, ANON, { table: "open_notes" });
    const send = (n: number) =>
      feed.send({ topic: "room", private: false, event: "e", payload: { n, text: "x".repeat(20_000) }, binary: false });
    await until(async () => {
      await send(0);
      expect(isConnected).toBe(true);
    });
    await Promise.all([1, 2, 3].map(send));
    await run(database, "insert into open_notes values (1, 'a')");
    await until(() => expect([messages.length, received.length, here.length]).toEqual([3, 1, 1]));
    expect(messages).toMatchObject([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(own).toEqual([]);
  });
});
