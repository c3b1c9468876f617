import { describe, expect, inject, test } from "vitest";
import { openPostgres } from "../../../src/db/postgres/postgres.ts";
import { createTestPostgres, testLog } from "../../database.ts";
import { openRealtime, subscribed, type RealtimeFixture } from "./fixture.ts";

/** Two processes' services on one database. */
async function openTwo(): Promise<{ first: RealtimeFixture; second: RealtimeFixture; end(): Promise<void> }> {
  const { url, remove } = await createTestPostgres();
  const [one, two] = await Promise.all([1, 2].map(() => openPostgres({ url, poolSize: 3, log: testLog })));
  if (!one || !two) throw new Error("no database");
  const unused = (): Promise<never> => Promise.reject(new Error("The database is given."));
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
  test("show the members of each other until they leave or their process dies", async () => {
    const { first, second, end } = await openTwo();
    const room = (fixture: RealtimeFixture, key: string) =>
      fixture.client().channel("room", { config: { presence: { key, enabled: true } } });
    const sam = await subscribed(room(first, "sam"));
    await sam.track({ as: "editor" });
    const jo = room(second, "jo");
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
    const late = await subscribed(room(second, "late"));
    await late.track({});
    await expect.poll(() => Object.keys(late.presenceState()).toSorted()).toEqual(["jo", "late"]);
    await end();
  });
});
