import type { RealtimeChannel } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRealtime, subscribed, VERSIONS, type RealtimeFixture } from "./fixture.ts";
import { openRawSocket, type RawSocket } from "./raw-socket.ts";

interface Watched {
  channel: RealtimeChannel;
  events: string[];
}

/** The members by key, without references. */
function members({ channel }: Watched): Record<string, unknown[]> {
  const state = channel.presenceState<{ as?: string }>();
  return Object.fromEntries(Object.entries(state).map(([key, metas]) => [key, metas.map((meta) => meta.as)]));
}

describeDatabases("presence", (open) => {
  let realtime: RealtimeFixture;
  beforeAll(async () => {
    realtime = await openRealtime(open);
  });
  afterAll(() => realtime[Symbol.asyncDispose]());

  /** Joins a topic, waits for its members, and notes who joins and leaves. */
  async function watch(topic: string, key: string, vsn: string): Promise<Watched> {
    const events: string[] = [];
    const { promise: informed, resolve: inform } = Promise.withResolvers<void>();
    const channel = realtime.client({ vsn }).channel(topic, { config: { presence: { key } } });
    channel
      .on("presence", { event: "sync" }, inform)
      .on("presence", { event: "join" }, ({ key: who, newPresences }) => events.push(`${who} joined as ${newPresences[0]?.["as"]}`))
      .on("presence", { event: "leave" }, ({ key: who, leftPresences }) => events.push(`${who} left as ${leftPresences[0]?.["as"]}`));
    await subscribed(channel);
    await informed;
    return { channel, events };
  }

  describe.each(VERSIONS)("of clients of version %s", (vsn) => {
    test("shows a member to the others and to itself until it leaves", async () => {
      const topic = crypto.randomUUID();
      const [sam, jo] = await Promise.all([watch(topic, "sam", vsn), watch(topic, "jo", vsn)]);
      expect(await sam.channel.track({ as: "editor" })).toBe("ok");
      await expect.poll(() => [members(sam), members(jo)]).toEqual([{ sam: ["editor"] }, { sam: ["editor"] }]);
      expect(await sam.channel.untrack()).toBe("ok");
      await expect.poll(() => members(jo)).toEqual({});
      expect(jo.events).toEqual(["sam joined as editor", "sam left as editor"]);
    });

    test("shows the members to a client that joins later", async () => {
      const topic = crypto.randomUUID();
      const sam = await watch(topic, "sam", vsn);
      await sam.channel.track({ as: "editor" });
      const jo = await watch(topic, "jo", vsn);
      await expect.poll(() => members(jo)).toEqual({ sam: ["editor"] });
    });

    test("replaces the object of a member that tracks another one, and keeps an equal one", async () => {
      const topic = crypto.randomUUID();
      const [sam, jo] = await Promise.all([watch(topic, "sam", vsn), watch(topic, "jo", vsn)]);
      await sam.channel.track({ as: "editor" });
      await sam.channel.track({ as: "editor" });
      await sam.channel.track({ as: "reader" });
      await expect.poll(() => members(jo)).toEqual({ sam: ["reader"] });
      expect(jo.events).toEqual(["sam joined as editor", "sam joined as reader", "sam left as editor"]);
    });

    test("removes a member whose connection is cut", async () => {
      const topic = crypto.randomUUID();
      const [sam, jo] = await Promise.all([watch(topic, "sam", vsn), watch(topic, "jo", vsn)]);
      await sam.channel.track({ as: "editor" });
      await expect.poll(() => members(jo)).toEqual({ sam: ["editor"] });
      await sam.channel.socket.disconnect();
      await expect.poll(() => members(jo)).toEqual({});
    });

    test("shows two windows of one key as two members", async () => {
      const topic = crypto.randomUUID();
      const [one, two] = await Promise.all([watch(topic, "sam", vsn), watch(topic, "sam", vsn)]);
      await one.channel.track({ as: "editor" });
      await two.channel.track({ as: "reader" });
      await expect.poll(() => members(one)).toEqual({ sam: ["editor", "reader"] });
      await two.channel.untrack();
      await expect.poll(() => members(one)).toEqual({ sam: ["editor"] });
    });

    test("shows a member that does not listen itself", async () => {
      const topic = crypto.randomUUID();
      const jo = await watch(topic, "jo", vsn);
      const quiet = await subscribed(realtime.client({ vsn }).channel(topic, { config: { presence: { key: "quiet" } } }));
      expect(await quiet.track({ as: "robot" })).toBe("ok");
      await expect.poll(() => members(jo)).toEqual({ quiet: ["robot"] });
    });

    test("refuses an object with eleven keys", async () => {
      const { channel } = await watch(crypto.randomUUID(), "sam", vsn);
      expect(await channel.track(Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`key${index}`, index])))).toBe("error");
    });

    test("closes the channel of a client that tracks six times in half a minute", async () => {
      const { channel } = await watch(crypto.randomUUID(), "sam", vsn);
      const messages: unknown[] = [];
      channel.on("system", {}, ({ message }) => messages.push(message));
      for (let index = 0; index < 5; index += 1) expect(await channel.track({ index })).toBe("ok");
      void channel.track({ index: 5 });
      await expect.poll(() => messages).toEqual(["Client presence rate limit exceeded"]);
      await expect.poll(() => channel.state).toBe("closed");
    });

    test("takes calls in any letter case, gives a member without a key a UUID, and names the reference that an update replaces", async () => {
      const topic = `realtime:${crypto.randomUUID()}`;
      using watcher = await openRawSocket(realtime.socketUrl({ vsn }));
      using member = await openRawSocket(realtime.socketUrl({ vsn }));
      await watcher.ask(topic, "phx_join", { config: { presence: { key: "watcher", enabled: true } } });
      await expect.poll(() => presenceOf(watcher)).toEqual([["presence_state", {}]]);
      await watcher.ask(topic, "presence", { event: "track", payload: {} });
      await member.ask(topic, "phx_join", { config: { presence: { key: "", enabled: false } } });
      for (const [event, as] of [["TRACK", "first"], ["Track", "second"], ["UnTrack"]])
        expect(await member.ask(topic, "presence", { type: "presence", event, payload: { as } })).toMatchObject({ status: "ok" });
      await expect.poll(() => presenceOf(watcher).length).toBe(5);
      const [, , joined, updated, left] = presenceOf(watcher);
      const [key = "", first] = Object.entries(joined?.[1].joins ?? {})[0] ?? [];
      expect(key).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      const only = (as: string, more = {}) => ({ [key]: { metas: [{ as, phx_ref: expect.any(String), ...more }] } });
      const second = only("second", { phx_ref_prev: first?.metas[0]?.phx_ref });
      expect([joined, updated, left]).toEqual([
        ["presence_diff", { joins: only("first"), leaves: {} }],
        ["presence_diff", { joins: second, leaves: only("first") }],
        ["presence_diff", { joins: {}, leaves: second }],
      ]);
      // Its first call shows it the members, before their changes.
      await expect.poll(() => presenceOf(member)[0]).toEqual(["presence_state", expect.objectContaining({ watcher: expect.anything() })]);
    });
  });
});

/** Returns the messages about members that a socket has received. */
function presenceOf({ received }: RawSocket) {
  return received.flatMap(([, , , event, payload]) => (event.startsWith("presence_") ? [[event, payload] as const] : []));
}
