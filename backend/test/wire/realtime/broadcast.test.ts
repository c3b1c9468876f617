import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRealtime, SECRET_KEY, subscribed, VERSIONS, type RealtimeFixture } from "./fixture.ts";
import { openRawSocket } from "./raw-socket.ts";

interface Received {
  event: string;
  payload?: unknown;
}

describeDatabases("a broadcast", (open) => {
  let realtime: RealtimeFixture;
  beforeAll(async () => {
    realtime = await openRealtime(open, { max_users_per_network: 100, max_events_per_second: 1000 });
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

  test.each(VERSIONS)("of any length reaches a client of version %s unchanged", async (vsn) => {
    const received: unknown[] = [];
    // Long frames of anonymous clients would have to wait.
    const client = realtime.client({ vsn, key: SECRET_KEY });
    const channel = client.channel(crypto.randomUUID(), { config: { broadcast: { self: true, ack: true } } });
    await subscribed(channel.on("broadcast", { event: "*" }, ({ payload }) => received.push(payload)));
    // Frames of up to 125 and up to 65,535 bytes have shorter heads.
    const lengths = [...Array.from({ length: 30 }, (_, index) => 45 + index), ...Array.from({ length: 160 }, (_, index) => 65_335 + index)];
    const payloads = lengths.map((length) => ({ text: "x".repeat(length) }));
    for (const payload of payloads) expect(await channel.send({ type: "broadcast", event: "e", payload })).toBe("ok");
    expect(received).toEqual(payloads);
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

  test.each(VERSIONS)(
    "that a client wants to be stored, in a frame of version %s, is refused, because nothing would be replayed",
    async (vsn) => {
      const topic = crypto.randomUUID();
      const received: unknown[] = [];
      await subscribed(
        realtime
          .client()
          .channel(topic)
          .on("broadcast", { event: "*" }, ({ payload }) => received.push(payload)),
      );
      using socket = await openRawSocket(realtime.socketUrl({ vsn: "2.0.0" }));
      await socket.ask(`realtime:${topic}`, "phx_join", { config: { broadcast: { ack: true } } });
      const send = async (n: number, persist: unknown) => {
        const meta = { persist };
        const payload = { n };
        if (vsn === "1.0.0") return socket.ask(`realtime:${topic}`, "broadcast", { type: "broadcast", event: "e", payload, meta });
        const parts = ["", `b${n}`, `realtime:${topic}`, "e", JSON.stringify(meta)].map((text) => Buffer.from(text));
        socket.ws.send(
          Buffer.concat([Buffer.from([3, ...parts.map(({ length }) => length), 1]), ...parts, Buffer.from(JSON.stringify(payload))]),
        );
        await expect.poll(() => socket.received.some(([, ref]) => ref === `b${n}`)).toBe(true);
        return socket.received.find(([, ref]) => ref === `b${n}`)?.[4];
      };
      for (const [n, persist] of [true, { ttl: 60 }, "yes"].entries())
        expect(await send(n, persist)).toEqual({ status: "error", response: { error: "persist_not_supported" } });
      expect(await send(9, false)).toEqual({ status: "ok", response: {} });
      await expect.poll(() => received).toEqual([{ n: 9 }]);
    },
  );
});
