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
  const delivered: string[] = [];
  beforeAll(async () => {
    database = await open();
    realtime = await openRealtime(
      open,
      {},
      runAfterReplay(database, () => afterReplay()),
    );
    const control = realtime.client({ key: SECRET_KEY }).channel("control", { config: { private: true } });
    await subscribed(control.on("broadcast", { event: "*" }, ({ event }) => delivered.push(event)));
  });
  afterAll(() => realtime[Symbol.asyncDispose]());

  const sql = (text: string, values: string[]) => database.transaction((tx) => tx.query(text, values));

  /** Joins a topic, to which SQL sends messages while the service waits for the stored ones. */
  async function joinDuring(send: string) {
    const topic = crypto.randomUUID();
    afterReplay = async () => {
      afterReplay = () => Promise.resolve();
      await sql(send, [topic]);
      await sql("select realtime.send('{}', $1, 'control')", [topic]);
      await expect.poll(() => delivered).toContain(topic);
    };
    const numbers: unknown[] = [];
    const statuses: string[] = [];
    const channel = realtime
      .client({ key: SECRET_KEY })
      .channel(topic, { config: { private: true, broadcast: { replay: { since: Date.now() - 60_000, limit: 25 } } } });
    channel.on("broadcast", { event: "*" }, ({ payload }) => numbers.push(payload["n"])).subscribe((status) => statuses.push(status));
    return { numbers, statuses };
  }

  test("are all received, in order", async () => {
    const { numbers, statuses } = await joinDuring(
      "select realtime.send(jsonb_build_object('n', n), 'told', $1) from generate_series(1, 150) as n",
    );
    await expect.poll(() => numbers.length).toBe(150);
    expect(numbers).toEqual(numbersTo(150));
    expect(statuses).toEqual(["SUBSCRIBED"]);
  });

  test("make the client join again if more than a megabyte waits", async () => {
    const { numbers, statuses } = await joinDuring(
      "select realtime.send(jsonb_build_object('n', n, 'text', repeat('x', 45000)), 'told', $1) from generate_series(1, 25) as n",
    );
    await expect.poll(() => statuses).toEqual(["SUBSCRIBED", "CHANNEL_ERROR", "SUBSCRIBED"]);
    await expect.poll(() => numbers).toEqual(numbersTo(25));
  });
});

/** Runs `next` after each reading of stored messages, before the service has the result. */
function runAfterReplay(database: Database, next: () => Promise<void>): Database {
  return {
    ...database,
    async transaction(work, options) {
      let isReplay = false;
      const result = await database.transaction((tx) => {
        const last: typeof tx.last = (text, values) => {
          isReplay = text.includes("from realtime.messages");
          return tx.last(text, values);
        };
        return work({ ...tx, last });
      }, options);
      if (isReplay) await next();
      return result;
    },
  };
}
