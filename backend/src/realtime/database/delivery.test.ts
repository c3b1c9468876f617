import { expect, test } from "vitest";
import { describeDatabases } from "../../../test/database.ts";
import { ANON, feeds, run, SERVICE, subscribe, until, user } from "./feed-fixture.ts";

describeDatabases("the delivery of database changes", (open) => {
  const start = feeds(open);
  const request = { event: "*", schema: "public", table: "open_notes" } as const;

  test("is in the order of a transaction for changes of several tables and messages", async () => {
    await using started = await start();
    const { database, feed } = started;
    const received: unknown[] = [];
    feed.onMessage(({ event }) => received.push(event));
    await feed.subscribe(SERVICE, [{ event: "*", schema: "public", table: "*" }], (changes) =>
      received.push(...changes.map(({ data }) => ("record" in data ? data.record : data))),
    );
    await run(
      database,
      `grant select on open_notes to service_role;
      insert into open_notes values (1, 'a');
      insert into notes (id, owner) values (2, 'ann');
      insert into open_notes values (3, 'a');
      select realtime.send('{}', 'sent', 'room');
      insert into notes (id, owner) values (4, 'ann');`,
    );
    await until(() => expect(received.length).toBe(5));
    expect(received).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }, "sent", { id: 4 }]);
  });

  test("leaves turns of the event loop to other work while many receive changes", async () => {
    await using started = await start();
    const { database, feed } = started;
    let turns = 0;
    const counter = setInterval(() => (turns += 1));
    const received: number[] = [];
    for (let index = 0; index < 50; index += 1)
      await feed.subscribe(user("ann"), [request], () => {
        for (const end = performance.now() + 0.5; performance.now() < end;);
        received.push(turns);
      });
    await run(database, "insert into open_notes values (1, 'a')");
    await until(() => expect(received.length).toBe(50));
    clearInterval(counter);
    expect(new Set(received).size).toBeGreaterThan(3);
  });

  test("goes on to other subscribers if one fails", async () => {
    await using started = await start();
    const { database, feed } = started;
    await feed.subscribe(ANON, [request], () => {
      throw new Error("This subscriber fails.");
    });
    const { received } = await subscribe(feed, ANON, request);
    await run(database, "insert into open_notes values (1, 'a'), (2, 'b')");
    await until(() => expect(received.length).toBe(2));
  });

  test("reaches a client that signs in or out meanwhile exactly once", async () => {
    await using started = await start();
    const { database, feed } = started;
    const slowly = (): void => {
      for (const end = performance.now() + 0.5; performance.now() < end;);
    };
    let changed: Promise<unknown> | undefined;
    const one = await subscribe(feed, ANON, request);
    const other = await subscribe(feed, user("ben"), request);
    await feed.subscribe(user("ann"), [request], () => {
      changed ??= Promise.all([one.update(user("ann")), other.update(ANON)]);
    });
    for (let index = 0; index < 50; index += 1) await feed.subscribe(user("ann"), [request], slowly);
    await run(database, "insert into open_notes values (1, 'a')");
    await until(() => expect(one.received.length).toBe(1));
    await changed;
    await run(database, "insert into open_notes values (2, 'b')");
    for (const { received } of [one, other]) await until(() => expect(received.map(({ record }) => record?.["id"])).toEqual([1, 2]));
  });
});
