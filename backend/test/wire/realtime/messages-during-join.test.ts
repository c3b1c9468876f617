import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/db/database.ts";
import { describeDatabases } from "../../database.ts";
import { openRealtime, SECRET_KEY, subscribed, type RealtimeFixture } from "./fixture.ts";

const numbersTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describeDatabases("messages that SQL sends during a join", (open) => {
  let database: Database;
  let realtime: RealtimeFixture;
  /** Runs after the service has read stored messages, before it answers the join. */
  let afterReplay = (): Promise<void> => Promise.resolve();
  /** Runs after the service has read new messages, before it delivers them. */
  let beforeDelivery = (): Promise<void> => Promise.resolve();
  const delivered: string[] = [];
  beforeAll(async () => {
    database = await open();
    realtime = await openRealtime(
      open,
      {},
      runAfter(database, { "from realtime.messages": () => afterReplay(), "join realtime.outbox": () => beforeDelivery() }),
    );
    const control = realtime.client({ key: SECRET_KEY }).channel("control", { config: { private: true } });
    await subscribed(control.on("broadcast", { event: "*" }, ({ event }) => delivered.push(event)));
  });
  afterAll(() => realtime[Symbol.asyncDispose]());

  const sql = (text: string, values: string[]) => database.transaction((tx) => tx.query(text, values));

  /** Joins a topic with a replay. */
  function join(topic: string) {
    const numbers: unknown[] = [];
    const statuses: string[] = [];
    const channel = realtime
      .client({ key: SECRET_KEY })
      .channel(topic, { config: { private: true, broadcast: { replay: { since: Date.now() - 60_000, limit: 25 } } } });
    channel.on("broadcast", { event: "*" }, ({ payload }) => numbers.push(payload["n"])).subscribe((status) => statuses.push(status));
    return { numbers, statuses };
  }

  /** Waits until the service has delivered all messages that were sent before. */
  async function allDelivered() {
    const event = crypto.randomUUID();
    await sql("select realtime.send('{}', $1, 'control')", [event]);
    await expect.poll(() => delivered).toContain(event);
  }

  /** Joins a topic, to which SQL sends messages while the service waits for the stored ones. */
  function joinDuring(send: string) {
    const topic = crypto.randomUUID();
    afterReplay = async () => {
      afterReplay = () => Promise.resolve();
      await sql(send, [topic]);
      await allDelivered();
    };
    return join(topic);
  }

  /** Sends messages to a topic; they are delivered after `deliver` was called. */
  async function sendAndHold(send: string) {
    const topic = crypto.randomUUID();
    const held = Promise.withResolvers<void>();
    beforeDelivery = () => held.promise;
    await sql(send, [topic]);
    async function deliver(): Promise<void> {
      held.resolve();
      await allDelivered();
    }
    return { topic, deliver };
  }

  test("are all received, in order", async () => {
    const { numbers, statuses } = joinDuring(
      "select realtime.send(jsonb_build_object('n', n), 'note', $1) from generate_series(1, 150) as n",
    );
    await expect.poll(() => numbers.length).toBe(150);
    expect(numbers).toEqual(numbersTo(150));
    expect(statuses).toEqual(["SUBSCRIBED"]);
  });

  test("make the client join again if more than a megabyte waits", async () => {
    const { numbers, statuses } = joinDuring(
      "select realtime.send(jsonb_build_object('n', n, 'text', repeat('x', 45000)), 'note', $1) from generate_series(1, 25) as n",
    );
    await expect.poll(() => statuses).toEqual(["SUBSCRIBED", "CHANNEL_ERROR", "SUBSCRIBED"]);
    await expect.poll(() => numbers).toEqual(numbersTo(25));
  });

  test("are not kept if the replay has them, whatever their size", async () => {
    const { topic, deliver } = await sendAndHold(
      "select realtime.send(jsonb_build_object('n', n, 'text', repeat('x', 90000)), 'note', $1) from generate_series(1, 25) as n",
    );
    afterReplay = deliver;
    const { numbers, statuses } = join(topic);
    await expect.poll(() => numbers).toEqual(numbersTo(25));
    expect(statuses).toEqual(["SUBSCRIBED"]);
  });

  test("are not received after newer ones that the limit of the replay preferred", async () => {
    const { topic, deliver } = await sendAndHold(
      "select realtime.send(jsonb_build_object('n', n), 'note', $1) from generate_series(1, 60) as n",
    );
    afterReplay = () => Promise.resolve();
    const { numbers, statuses } = join(topic);
    await expect.poll(() => numbers.length).toBe(25);
    await deliver();
    await sql("select realtime.send('{\"n\": 61}', 'note', $1)", [topic]);
    await expect.poll(() => numbers).toContain(61);
    expect(numbers).toEqual(Array.from({ length: 26 }, (_, index) => index + 36));
    expect(statuses).toEqual(["SUBSCRIBED"]);
  });
});

/** Runs a function after each statement that contains a text, before the service has the result. */
function runAfter(database: Database, functions: Record<string, () => Promise<void>>): Database {
  return {
    ...database,
    async transaction(work, options) {
      let next: (() => Promise<void>) | undefined;
      const result = await database.transaction((tx) => {
        const last: typeof tx.last = (text, values) => {
          next = Object.entries(functions).find(([part]) => text.includes(part))?.[1];
          return tx.last(text, values);
        };
        return work({ ...tx, last });
      }, options);
      await next?.();
      return result;
    },
  };
}
