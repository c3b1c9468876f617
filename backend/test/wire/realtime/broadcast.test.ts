import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRealtime, subscribed, VERSIONS, type RealtimeFixture } from "./fixture.ts";

interface Received {
  event: string;
  payload?: unknown;
}

describeDatabases("a broadcast", (open) => {
  let realtime: RealtimeFixture;
  beforeAll(async () => {
    realtime = await openRealtime(open, { max_users_per_network: 100 });
  });
  afterAll(() => realtime[Symbol.asyncDispose]());

  describe.each(VERSIONS)("from a client of version %s", (from) => {
    test.each(VERSIONS)("reaches the subscribers of its topic of version %s and nobody else", async (to) => {
      const topic = crypto.randomUUID();
      const received: Received[] = [];
      const elsewhere: Received[] = [];
      const subscriber = realtime.client({ vsn: to });
      await subscribed(subscriber.channel(topic).on("broadcast", { event: "moved" }, (message) => received.push(message)));
      await subscribed(subscriber.channel(`${topic}-2`).on("broadcast", { event: "*" }, (message) => elsewhere.push(message)));
      const sender = await subscribed(realtime.client({ vsn: from }).channel(topic, { config: { broadcast: { ack: true } } }));
      const payload = { place: "Kendal — Küche 🚂", list: [1, null, { deep: true }] };
      expect(await sender.send({ type: "broadcast", event: "moved", payload })).toBe("ok");
      await expect.poll(() => received).toEqual([expect.objectContaining({ event: "moved", payload })]);
      expect(elsewhere).toEqual([]);
    });

    test.each([true, false])("reaches its sender if self is %s only then", async (self) => {
      const received: unknown[] = [];
      const channel = realtime.client({ vsn: from }).channel(crypto.randomUUID(), { config: { broadcast: { self, ack: true } } });
      await subscribed(channel.on("broadcast", { event: "*" }, ({ payload }) => received.push(payload)));
      expect(await channel.send({ type: "broadcast", event: "one", payload: { n: 1 } })).toBe("ok");
      expect(received).toEqual(self ? [{ n: 1 }] : []);
    });
  });

  test("of bytes reaches clients of version 2.0.0 unchanged", async () => {
    const topic = crypto.randomUUID();
    const received: Uint8Array[] = [];
    const channel = realtime.client().channel(topic);
    await subscribed(channel.on("broadcast", { event: "*" }, ({ payload }) => received.push(new Uint8Array(payload))));
    const sender = await subscribed(realtime.client().channel(topic, { config: { broadcast: { ack: true } } }));
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    expect(await sender.send({ type: "broadcast", event: "bytes", payload: bytes.buffer })).toBe("ok");
    await expect.poll(() => received).toEqual([bytes]);
  });

  test("after a subscriber left does not reach it", async () => {
    const topic = crypto.randomUUID();
    const received: unknown[] = [];
    const client = realtime.client();
    const channel = await subscribed(client.channel(topic).on("broadcast", { event: "*" }, ({ payload }) => received.push(payload)));
    await subscribed(client.channel("another"));
    expect(await client.removeChannel(channel)).toBe("ok");
    const sender = await subscribed(realtime.client().channel(topic, { config: { broadcast: { ack: true } } }));
    expect(await sender.send({ type: "broadcast", event: "late", payload: {} })).toBe("ok");
    expect(received).toEqual([]);
  });
});
