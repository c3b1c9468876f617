import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRealtime, SECRET_KEY, subscribed, VERSIONS, type RealtimeFixture } from "./fixture.ts";
import { openRawSocket } from "./raw-socket.ts";

const SCHEMA = `
  create policy "presence" on realtime.messages for select to anon using (realtime.topic() like 'members %' and extension = 'presence');
  create policy "broadcasts" on realtime.messages for select to anon using (realtime.topic() like 'news %' and extension = 'broadcast');`;

describeDatabases("a subscriber of a private topic", (open) => {
  let realtime: RealtimeFixture;
  beforeAll(async () => {
    realtime = await openRealtime(() => open({ scripts: [SCHEMA] }));
  });
  afterAll(() => realtime[Symbol.asyncDispose]());

  describe.each(VERSIONS)("of version %s", (vsn) => {
    /** Joins a private topic without the rights of the service, and notes what arrives. */
    async function read(topic: string) {
      const events: string[] = [];
      const channel = realtime.client({ vsn }).channel(topic, { config: { private: true, presence: { key: "reader" } } });
      channel
        .on("broadcast", { event: "*" }, ({ event }) => events.push(event))
        .on("presence", { event: "sync" }, () => events.push(`members: ${Object.keys(channel.presenceState()).join()}`));
      await subscribed(channel);
      return events;
    }

    /** Joins a topic with all rights. */
    async function write(topic: string, isPrivate: boolean) {
      const config = { private: isPrivate, broadcast: { ack: true }, presence: { key: "writer" } };
      const channel = await subscribed(realtime.client({ vsn, key: SECRET_KEY }).channel(topic, { config }));
      return {
        send: async (event: string) => expect(await channel.send({ type: "broadcast", event, payload: {} })).toBe("ok"),
        track: async () => expect(await channel.track({})).toBe("ok"),
        members: () => Object.keys(channel.presenceState()),
      };
    }

    test("with a right to read its members only receives no broadcasts", async () => {
      const topic = `members ${crypto.randomUUID()}`;
      const events = await read(topic);
      await expect.poll(() => events).toEqual(["members: "]);
      const writer = await write(topic, true);
      await writer.send("told");
      await writer.track();
      await expect.poll(() => events).toEqual(["members: ", "members: writer"]);
    });

    test("with a right to read broadcasts only sees no members", async () => {
      const topic = `news ${crypto.randomUUID()}`;
      const writer = await write(topic, true);
      const events = await read(topic);
      await writer.track();
      await writer.send("told");
      await expect.poll(() => events).toEqual(["told"]);
    });

    // The official client drops changes of members whose list it has not received.
    test("with a right to read broadcasts only receives no change of the members", async () => {
      const topic = `news ${crypto.randomUUID()}`;
      using reader = await openRawSocket(realtime.socketUrl({ vsn }));
      const config = { private: true, presence: { enabled: true, key: "" } };
      expect(await reader.ask(`realtime:${topic}`, "phx_join", { config })).toMatchObject({ status: "ok" });
      const writer = await write(topic, true);
      await writer.track();
      await expect.poll(() => writer.members()).toEqual(["writer"]);
      await reader.ask("phoenix", "heartbeat", {});
      expect(reader.received.map(([, , , event]) => event)).toEqual(["phx_reply", "phx_reply"]);
    });

    test("receives nothing of the public topic of the same name", async () => {
      const topic = `news ${crypto.randomUUID()}`;
      const events = await read(topic);
      const stranger = await write(topic, false);
      await stranger.send("forged");
      await stranger.track();
      await (await write(topic, true)).send("told");
      await expect.poll(() => events).toEqual(["told"]);
    });
  });
});
