import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { type Database, DatabaseError } from "../../../src/db/database.ts";
import { openPostgres } from "../../../src/db/postgres/postgres.ts";
import { createTestPostgres, testLog } from "../../database.ts";
import { openRealtime, subscribed, type RealtimeFixture } from "./fixture.ts";

const unused = (): Promise<never> => Promise.reject(new Error("The database is given."));

/** Two processes' services on one database. */
async function openTwo(): Promise<{ first: RealtimeFixture; second: RealtimeFixture; end(): Promise<void> }> {
  const { url, remove } = await createTestPostgres();
  const [one, two] = await Promise.all([1, 2].map(() => openPostgres({ url, poolSize: 3, log: testLog })));
  if (!one || !two) throw new Error("no database");
  const first = await openRealtime(unused, {}, one);
  const second = await openRealtime(unused, {}, two);
  async function end(): Promise<void> {
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
    await Promise.all([one?.close(), two?.close()]);
    await remove();
  }
  return { first, second, end };
}

describe.skipIf(inject("postgres") === null)("two processes on one Postgres", () => {
  let first: RealtimeFixture;
  let second: RealtimeFixture;
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    let end: () => Promise<void>;
    ({ first, second, end } = await openTwo());
    return async () => {
      vi.useRealTimers();
      await end();
    };
  });

  const join = (fixture: RealtimeFixture, topic: string, key: string) =>
    fixture.client().channel(topic, { config: { presence: { key, enabled: true } } });

  test("show the members of each other until they leave or their process crashes", async () => {
    const sam = await subscribed(join(first, "room", "sam"));
    await sam.track({ as: "editor" });
    const jo = join(second, "room", "jo");
    const left: string[] = [];
    jo.on("presence", { event: "leave" }, ({ key }) => left.push(key));
    await subscribed(jo);
    await jo.track({ as: "reader" });
    await expect
      .poll(() => [Object.keys(jo.presenceState()).toSorted(), Object.keys(sam.presenceState()).toSorted()])
      .toEqual([
        ["jo", "sam"],
        ["jo", "sam"],
      ]);
    await sam.untrack();
    await expect.poll(() => Object.keys(jo.presenceState())).toEqual(["jo"]);
    expect(left).toEqual(["sam"]);
    // As a process leaves them that was killed.
    await second.database.transaction((tx) =>
      tx.query(`insert into realtime.members (id, process, topic, private, key, payload, meta, seen_at)
        select gen_random_uuid(), gen_random_uuid(), 'room', false, key, '{}', '{"phx_ref":"x"}', now() - age
        from (values ('alive', interval '15 seconds'), ('dead', interval '1 minute')) as given (key, age)`),
    );
    const late = await subscribed(join(second, "room", "late"));
    await late.track({});
    await expect.poll(() => Object.keys(late.presenceState()).toSorted()).toEqual(["jo", "late"]);
  });

  test("show members whatever texts they sent, and renew them", async () => {
    const threeBytes = String.fromCharCode(...Array.from({ length: 990 }, () => 0x3000 + Math.floor(Math.random() * 0x8000)));
    const members = [
      { topic: "plain", key: "sam", object: { as: "editor" } },
      { topic: "zero", key: "a", object: { text: "\0" } },
      { topic: "half a pair", key: "b", object: { "\ud800": "\udc00" } },
      { topic: "half a pair \ud800", key: "c \udc00", object: { as: "d" } },
      { topic: threeBytes, key: "e", object: {} },
    ];
    const tracking = await Promise.all(members.map(({ topic, key }) => subscribed(join(first, topic, key))));
    await Promise.all(tracking.map((channel, index) => channel.track(members[index]?.object ?? {})));
    const seen = await Promise.all(members.map(({ topic }) => subscribed(join(second, topic, "jo"))));
    const shown = () => seen.map((channel) => Object.values(channel.presenceState()).flat());
    await expect.poll(shown).toMatchObject(members.map(({ object }) => [object]));
    const sql = (text: string) => second.database.transaction((tx) => tx.query(text));
    await sql("update realtime.members set seen_at = now() - interval '15 seconds' where topic <> 'room'");
    vi.advanceTimersByTime(5000);
    await expect
      .poll(() => sql("select key from realtime.members where seen_at < now() - interval '10 seconds' and topic <> 'room'"))
      .toEqual([]);
  });

  test("show updates and departures that could not be written at first", async () => {
    const [sam, pat] = await Promise.all(["sam", "pat"].map((key) => subscribed(join(first, "outage", key))));
    await Promise.all([sam?.track({ as: "editor" }), pat?.track({ as: "editor" })]);
    const jo = await subscribed(join(second, "outage", "jo"));
    const shown = () => Object.entries(jo.presenceState<{ as?: string }>()).map(([key, metas]) => [key, metas.map(({ as }) => as)]);
    await expect.poll(shown).toEqual(expect.arrayContaining([["sam", ["editor"]]]));
    using away = vi.spyOn(first.database, "transaction").mockRejectedValueOnce(new DatabaseError("away", { code: "08006" }));
    await sam?.untrack();
    await expect.poll(() => away.mock.calls.length).toBe(1);
    away.mockRejectedValueOnce(new DatabaseError("away", { code: "08006" }));
    await pat?.track({ as: "reader" });
    await expect.poll(() => away.mock.calls.length).toBe(2);
    vi.advanceTimersByTime(5000);
    await expect.poll(shown).toEqual([["pat", ["reader"]]]);
  });

  test("show members and updates that could not be read at first", async () => {
    const sam = await subscribed(join(first, "full", "sam"));
    await sam.track({ as: "editor" });
    const tooMany = new DatabaseError("too many connections", { code: "53300" });
    using full = vi.spyOn(second.database, "transaction").mockRejectedValueOnce(tooMany);
    const jo = await subscribed(join(second, "full", "jo"));
    const shown = () => jo.presenceState<{ as?: string }>()["sam"]?.map(({ as }) => as);
    await expect.poll(() => full.mock.calls.length).toBeGreaterThan(0);
    await expect.poll(shown).toEqual(["editor"]);
    full.mockRejectedValueOnce(tooMany);
    await sam.track({ as: "reader" });
    await expect.poll(shown).toEqual(["reader"]);
  });

  test("pass on each other's broadcasts whatever texts they contain", async () => {
    const received: unknown[] = [];
    const listener = second.client().channel("news");
    await subscribed(listener.on("broadcast", { event: "*" }, ({ event, payload }) => received.push([event, payload])));
    const sender = await subscribed(first.client().channel("news", { config: { broadcast: { ack: true } } }));
    const messages = [
      ["first", { n: 1 }],
      ["zero", { text: "\0" }],
      ["half a pair", { "\ud800": "\udc00" }],
      ["zero \0", {}],
      ["plain", { n: 2 }],
    ] as const;
    const sent = messages.map(([event, payload]) => sender.send({ type: "broadcast", event, payload }));
    expect(await Promise.all(sent)).toEqual(messages.map(() => "ok"));
    await expect.poll(() => received).toEqual(messages);
  });

  test.each(["realtime", "pgrst", "realtime_members", "the lease"])(
    "leave nothing behind if one cannot start because %s fails",
    async (failing) => {
      const full = new DatabaseError("too many connections", { code: "53300" });
      const listeners = new Set<string>();
      const database: Database = {
        ...second.database,
        transaction: (work, options) =>
          failing === "the lease" && options?.readOnly === true ? Promise.reject(full) : second.database.transaction(work, options),
        async listen(channel, handler, options) {
          if (channel === failing) throw full;
          const stop = await second.database.listen(channel, handler, options);
          listeners.add(channel);
          return async () => {
            listeners.delete(channel);
            await stop();
          };
        },
      };
      await expect(openRealtime(unused, {}, database)).rejects.toBe(full);
      const readers = await second.database.transaction((tx) => tx.query("select from realtime.readers"));
      expect([readers.length, [...listeners]]).toEqual([2, []]);
    },
  );
});
