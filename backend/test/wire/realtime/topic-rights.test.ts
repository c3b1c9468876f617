import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRealtime, SECRET_KEY, subscribed, VERSIONS, type RealtimeFixture } from "./fixture.ts";
import { openRawSocket } from "./raw-socket.ts";

const SCHEMA = `
  create policy "presence" on realtime.messages for select to anon using (realtime.topic() like 'members %' and extension = 'presence');
  create policy "broadcasts" on realtime.messages for select to anon using (realtime.topic() like 'news %' and extension = 'broadcast');
  create policy "by claim" on realtime.messages for select to authenticated
    using (realtime.topic() like 'claims %' and auth.jwt() -> 'reads' ? extension);`;

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
        untrack: async () => expect(await channel.untrack()).toBe("ok"),
        members: () => Object.keys(channel.presenceState()),
      };
    }

    test("with a right to read its members only receives no broadcasts", async () => {
      const topic = `members ${crypto.randomUUID()}`;
      const events = await read(topic);
      await expect.poll(() => events).toEqual(["members: "]);
      const writer = await write(topic, true);
      await writer.send("note");
      await writer.track();
      await expect.poll(() => events).toEqual(["members: ", "members: writer"]);
    });

    test("with a right to read broadcasts only sees no members", async () => {
      const topic = `news ${crypto.randomUUID()}`;
      const writer = await write(topic, true);
      const events = await read(topic);
      await writer.track();
      await writer.send("note");
      await expect.poll(() => events).toEqual(["note"]);
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
      await (await write(topic, true)).send("note");
      await expect.poll(() => events).toEqual(["note"]);
    });

    /** A user of a topic with the rights of its token, and the service as a member. */
    async function claimant(reads: string[], isShown: boolean) {
      const topic = `claims ${crypto.randomUUID()}`;
      const writer = await write(topic, true);
      await writer.track();
      await expect.poll(() => writer.members()).toEqual(["writer"]);
      let token = await realtime.token({ reads });
      const client = realtime.client({ vsn, accessToken: () => Promise.resolve(token) });
      await client.realtime.setAuth();
      const events: unknown[] = [];
      const channel = client.channel(topic, { config: { private: true, presence: { key: "reader" } } });
      channel.on("broadcast", { event: "*" }, ({ event }) => events.push(event)).on("system", {}, ({ message }) => events.push(message));
      if (isShown) channel.on("presence", { event: "sync" }, () => events.push(`members: ${Object.keys(channel.presenceState()).join()}`));
      await subscribed(channel);
      async function refresh(next: string[]): Promise<void> {
        token = await realtime.token({ reads: next });
        await client.realtime.setAuth();
      }
      return { topic, writer, channel, events, refresh };
    }

    test("receives the members, and their changes, after a token that permits to read them too", async () => {
      const { writer, events, refresh } = await claimant(["broadcast"], true);
      await writer.send("note");
      await expect.poll(() => events).toEqual(["note"]);
      await refresh(["broadcast", "presence"]);
      await expect.poll(() => events).toEqual(["note", "members: writer"]);
      await writer.untrack();
      await expect.poll(() => events).toEqual(["note", "members: writer", "members: "]);
    });

    test.each([
      ["members", ["broadcast"]],
      ["broadcasts", ["presence"]],
    ])("ends with the reason, and receives nothing more, after a token that does not permit to read %s", async (_name, reads) => {
      const { topic, writer, channel, events, refresh } = await claimant(["broadcast", "presence"], true);
      await expect.poll(() => events).toEqual(["members: writer"]);
      await refresh(reads);
      await expect.poll(() => channel.state).toBe("closed");
      await writer.untrack();
      await writer.send("note");
      const message = `You no longer have permission to read from this Channel topic: ${topic}`;
      expect(events).toEqual(["members: writer", message]);
    });

    test("that does not want members stays when its new token does not permit to read them", async () => {
      const { writer, events, refresh } = await claimant(["broadcast", "presence"], false);
      await refresh(["broadcast"]);
      await writer.send("note");
      await expect.poll(() => events).toEqual(["note"]);
    });
  });
});
