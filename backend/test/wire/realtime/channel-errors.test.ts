import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRealtime, PUBLISHABLE_KEY, VERSIONS, type RealtimeFixture } from "./fixture.ts";
import { openRawSocket, type RawSocket } from "./raw-socket.ts";

const SCHEMA = `
  create table public.readers (name text primary key);
  grant select on public.readers to authenticated;
  create policy "readers read" on realtime.messages for select to authenticated
    using (auth.uid()::text in (select name from public.readers));`;

const past = (): number => Math.floor(Date.now() / 1000) - 60;

describeDatabases("a channel", (open) => {
  let realtime: RealtimeFixture;
  beforeAll(async () => {
    realtime = await openRealtime(() => open({ scripts: [SCHEMA] }), {
      max_payload_size_in_kb: 20,
      max_presence_events_per_second: 4,
      max_events_per_second: 50,
    });
  });
  afterAll(() => realtime[Symbol.asyncDispose]());

  /** A user who may read private topics, and their token. */
  async function reader(): Promise<{ sub: string; token: string }> {
    const sub = crypto.randomUUID();
    await realtime.database.transaction((tx) => tx.query("insert into readers values ($1)", [sub]));
    return { sub, token: await realtime.token({ sub }) };
  }

  /** The tokens that the open channels use. */
  const tokens = (): string[] =>
    [...realtime.realtime.sockets.open].flatMap(({ channels }) => [...channels.values()].map(({ token }) => token.text));

  describe.each(VERSIONS)("of version %s", (vsn) => {
    interface Joined extends Disposable {
      socket: RawSocket;
      topic: string;
      /** The messages that the service pushed about the channel. */
      pushed(): unknown[];
    }

    async function join(config: object, token: string = PUBLISHABLE_KEY): Promise<Joined> {
      const socket = await openRawSocket(realtime.socketUrl({ vsn }));
      const topic = `realtime:${crypto.randomUUID()}`;
      expect(await socket.ask(topic, "phx_join", { config, access_token: token })).toMatchObject({ status: "ok" });
      return {
        socket,
        topic,
        pushed: () => socket.received.slice(1).flatMap(([, , , event, { message }]) => (event === "phx_reply" ? [] : [message ?? event])),
        [Symbol.dispose]: () => socket[Symbol.dispose](),
      };
    }

    test.each<[name: string, token: (sub: string) => Promise<string>, message: string]>([
      ["that ran out", (sub) => realtime.token({ sub, exp: past() }), String.raw`Token has expired \d+ seconds ago`],
      ["without exp", (sub) => realtime.token({ sub, exp: undefined }), "Fields `role` and `exp` are required in JWT"],
      ["that is empty", async () => "", "The token provided is not a valid JWT"],
      ["that is malformed", async () => "no token", "The token provided is not a valid JWT"],
      ["with another signature", async (sub) => `${await realtime.token({ sub })}AAAA`, "Failed to validate JWT signature"],
      [
        "of a session that has ended",
        (sub) => realtime.token({ sub, session_id: crypto.randomUUID() }),
        "Session from session_id claim in JWT does not exist",
      ],
      ["of somebody without rights", () => realtime.token(), "You no longer have permission to read from this Channel topic: .+"],
    ])("ends when it is sent a token %s", async (_name, token, message) => {
      const { sub, token: first } = await reader();
      using joined = await join({ private: true }, first);
      joined.socket.send(null, null, joined.topic, "access_token", { access_token: await token(sub) });
      await expect.poll(joined.pushed).toEqual([expect.stringMatching(new RegExp(`^${message}$`)), "phx_close"]);
    });

    test("stays when it is sent a token that says nothing new", async () => {
      const { token } = await reader();
      using joined = await join({ private: true }, token);
      for (const access_token of [null, PUBLISHABLE_KEY, token, 7])
        joined.socket.send(null, null, joined.topic, "access_token", { access_token });
      expect(await joined.socket.ask("phoenix", "heartbeat", {})).toMatchObject({ status: "ok" });
      expect(joined.pushed()).toEqual([]);
    });

    test("takes the first of several tokens at once, and the last of the others ten seconds later", async () => {
      const { sub, token } = await reader();
      const last = await realtime.token({ sub, n: 2 });
      using joined = await join({ private: true }, token);
      const refresh = async (access_token: string) => {
        joined.socket.send(null, null, joined.topic, "access_token", { access_token });
        expect(await joined.socket.ask("phoenix", "heartbeat", {})).toMatchObject({ status: "ok" });
      };
      await refresh(await realtime.token({ sub, n: 1 }));
      await refresh("no token");
      await refresh(last);
      realtime.sweep(11_000);
      await expect.poll(tokens).toContain(last);
      expect(joined.pushed()).toEqual([]);
      await refresh("no token");
      expect(joined.pushed()).toEqual([]);
      realtime.sweep(22_000);
      await expect.poll(joined.pushed).toEqual(["The token provided is not a valid JWT", "phx_close"]);
    });

    const BROADCASTS: [error: string, payload: object, isPrivate: boolean][] = [
      ["payload_size_exceeded", { type: "broadcast", event: "e", payload: { text: "x".repeat(20 * 1024) } }, false],
      ["unauthorized", { type: "broadcast", event: "e", payload: {} }, true],
      ["invalid_payload", { type: "broadcast", payload: {} }, false],
      ["persist_not_supported", { type: "broadcast", event: "e", payload: {}, meta: { persist: true } }, false],
    ];
    test.each(BROADCASTS)(
      "answers a broadcast with %s if the client wants answers, and otherwise with nothing",
      async (error, payload, isPrivate) => {
        const { token } = await reader();
        for (const ack of [true, false]) {
          using joined = await join({ private: isPrivate, broadcast: { ack, self: true } }, token);
          joined.socket.send(null, "b", joined.topic, "broadcast", payload);
          expect(await joined.socket.ask("phoenix", "heartbeat", {})).toMatchObject({ status: "ok" });
          const answers = joined.socket.received.filter(([, ref]) => ref === "b").map(([, , , , answer]) => answer);
          expect(answers).toEqual(ack ? [{ status: "error", response: { error } }] : []);
          expect(joined.pushed()).toEqual([]);
        }
      },
    );

    test("ignores options that it does not know", async () => {
      using joined = await join({ broadcast: { ack: true, self: true, compress: "zstd" }, presence: { order: 1 }, shard: [3] });
      const message = { type: "broadcast", event: "e", payload: { n: 1 }, meta: { priority: "high", persist: false }, extra: {} };
      expect(await joined.socket.ask(joined.topic, "broadcast", message)).toEqual({ status: "ok", response: {} });
      expect(await joined.socket.ask(joined.topic, "presence", { event: "track", payload: {}, extra: 1 })).toMatchObject({ status: "ok" });
    });

    const PRESENCE: [reason: string, payload: unknown, isPrivate: boolean][] = [
      ["Presence track payload must be a map", { event: "track", payload: [1] }, false],
      [
        "Presence track payload has more than 10 keys",
        { event: "track", payload: Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`key${index}`, index])) },
        false,
      ],
      ["unauthorized", { event: "track", payload: {} }, true],
      ["Unknown presence event", { event: "hide" }, false],
      ["Unknown presence event", 7, false],
    ];
    test.each(PRESENCE)("answers a call of presence with %s", async (reason, payload, isPrivate) => {
      const { token } = await reader();
      using joined = await join({ private: isPrivate, presence: { key: "sam" } }, token);
      expect(await joined.socket.ask(joined.topic, "presence", payload)).toEqual({ status: "error", response: { reason } });
      expect(joined.pushed()).toEqual([]);
    });

    test.each([
      ["Track message size exceeded", 1, { text: "x".repeat(17_000) }],
      ["Too many presence messages per second", 12, {}],
    ])("ends with %s", async (message, calls, payload) => {
      using joined = await join({ presence: { key: "sam" } });
      for (let index = 0; index < calls; index += 1)
        joined.socket.send(null, null, joined.topic, "presence", { event: "track", payload: { ...payload, index } });
      await expect
        .poll(() => joined.pushed().filter((event) => event !== "presence_diff" && event !== "presence_state"))
        .toEqual([message, "phx_close"]);
    });

    test("ends when there were too many messages in a second", async () => {
      using joined = await join({});
      for (let index = 0; index < 70; index += 1)
        joined.socket.send(null, null, joined.topic, "broadcast", { type: "broadcast", event: "e", payload: {} });
      await expect.poll(joined.pushed).toEqual(["Too many messages per second", "phx_close"]);
    });
  });
});
