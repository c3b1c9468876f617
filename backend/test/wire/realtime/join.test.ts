import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestPglite } from "../../database.ts";
import { openRealtime, PUBLISHABLE_KEY, SECRET_KEY, strangersToken, subscribed, VERSIONS, type RealtimeFixture } from "./fixture.ts";
import { openRawSocket, upgradeStatus } from "./raw-socket.ts";

let realtime: RealtimeFixture;
beforeAll(async () => {
  realtime = await openRealtime(openTestPglite, { max_channels_per_client: 3, allowed_origins: ["https://site.example"] });
});
afterAll(() => realtime[Symbol.asyncDispose]());

const past = (): number => Math.floor(Date.now() / 1000) - 60;

describe("an upgrade", () => {
  test.each<[string, () => Promise<Record<string, string>>, number]>([
    ["with the publishable key", async () => ({ apikey: PUBLISHABLE_KEY }), 101],
    ["with the secret key", async () => ({ apikey: SECRET_KEY }), 101],
    ["with a token", async () => ({ apikey: await realtime.token() }), 101],
    ["without a key", async () => ({ apikey: "" }), 403],
    ["with an unknown key", async () => ({ apikey: "sb_publishable_other" }), 403],
    ["with a token that ran out", async () => ({ apikey: await realtime.token({ exp: past() }) }), 403],
    ["with a token without exp", async () => ({ apikey: await realtime.token({ exp: undefined }) }), 403],
    ["with the token of a stranger", async () => ({ apikey: await strangersToken() }), 403],
    ["of an unknown version", async () => ({ vsn: "3.0.0" }), 403],
  ])("%s is answered", async (_name, query, status) => {
    expect(await upgradeStatus(realtime.socketUrl(await query()))).toBe(status);
  });

  test.each([
    ["https://site.example", 101],
    ["https://other.example", 403],
  ])("of a page at %s is answered %d", async (origin, status) => {
    expect(await upgradeStatus(realtime.socketUrl(), { origin })).toBe(status);
  });
});

test("a client without a version, with its key in the header x-api-key, uses version 1.0.0", async () => {
  const url = new URL(realtime.socketUrl());
  url.search = "";
  expect(await upgradeStatus(url.href)).toBe(403);
  using socket = await openRawSocket(url.href, "127.0.0.1", { "x-api-key": PUBLISHABLE_KEY });
  expect(await socket.ask("realtime:a", "phx_join", {})).toMatchObject({ status: "ok" });
});

describe.each(VERSIONS)("a join of version %s", (vsn) => {
  test.each<[string, () => Promise<string>, string]>([
    ["that ran out", () => realtime.token({ exp: past() }), "InvalidJWTToken: Token has expired \\d+ seconds ago"],
    ["without exp", () => realtime.token({ exp: undefined }), "InvalidJWTToken: Fields `role` and `exp` are required in JWT"],
    ["without role", () => realtime.token({ role: undefined }), "InvalidJWTToken: Fields `role` and `exp` are required in JWT"],
    ["of a stranger", strangersToken, "JwtSignatureError: Failed to validate JWT signature"],
    ["that is malformed", async () => "no token", "MalformedJWT: The token provided is not a valid JWT"],
    [
      "of a session that has ended",
      () => realtime.token({ session_id: crypto.randomUUID() }),
      "InvalidJWTToken: Session from session_id claim in JWT does not exist",
    ],
  ])("with a token %s is refused", async (_name, token, reason) => {
    const text = await token();
    const client = realtime.client({ vsn, accessToken: () => Promise.resolve(text) });
    await client.realtime.setAuth();
    await expect(subscribed(client.channel("any"))).rejects.toThrow(new RegExp(`^${reason}$`));
  });

  test("of a private topic without a policy is refused", async () => {
    const joining = subscribed(realtime.client({ vsn }).channel("room", { config: { private: true } }));
    await expect(joining).rejects.toThrow("Unauthorized: You do not have permissions to read from this Channel topic: room");
  });

  test("of one channel too many is refused, and the others stay", async () => {
    const client = realtime.client({ vsn });
    for (const name of ["a", "b", "c"]) await subscribed(client.channel(name));
    await expect(subscribed(client.channel("d"))).rejects.toThrow("ChannelRateLimitReached: Too many channels (3 per connection)");
    expect(client.channel("a").state).toBe("joined");
  });

  test("is answered, and the heartbeat too", async () => {
    const beats: string[] = [];
    const client = realtime.client({ vsn });
    await subscribed(client.channel("any"));
    client.realtime.onHeartbeat((status) => beats.push(status));
    await client.realtime.sendHeartbeat();
    await expect.poll(() => beats).toEqual(["sent", "ok"]);
  });
});

describe("a client with frames of its own", () => {
  test("joins with a configuration that cannot be read, and with flags that are text", async () => {
    using socket = await openRawSocket(realtime.socketUrl());
    const before = realtime.logged.length;
    const joined = { status: "ok", response: { postgres_changes: [] } };
    expect(await socket.ask("realtime:odd", "phx_join", { config: { broadcast: 7 } })).toEqual(joined);
    expect(realtime.logged.slice(before)).toEqual(["configuration of a realtime channel cannot be read"]);
    const config = { broadcast: { ack: "true", self: "false" } };
    expect(await socket.ask("realtime:text", "phx_join", { config })).toEqual(joined);
    expect(realtime.logged.length).toBe(before + 1);
    expect(await socket.ask("realtime:text", "broadcast", { type: "broadcast", event: "e", payload: {} })).toEqual({
      status: "ok",
      response: {},
    });
  });

  test.each<[name: string, config: object]>([
    ["an option of the same part", { broadcast: { ack: true, self: "maybe", replication_ready: true } }],
    ["another part", { broadcast: { ack: true, replication_ready: true }, presence: 7 }],
    ["the options of changes", { broadcast: { ack: true, replication_ready: true }, postgres_changes_options: { timeout: -1 } }],
    ["a list of changes", { broadcast: { ack: true, replication_ready: true }, postgres_changes: [7] }],
  ])("keeps what can be read of a configuration, except %s", async (_name, config) => {
    using socket = await openRawSocket(realtime.socketUrl());
    const before = realtime.logged.length;
    expect(await socket.ask("realtime:rest", "phx_join", { config })).toEqual({ status: "ok", response: { postgres_changes: [] } });
    expect(realtime.logged.slice(before)).toEqual(["configuration of a realtime channel cannot be read"]);
    expect(await socket.ask("realtime:rest", "broadcast", { type: "broadcast", event: "e", payload: {} })).toEqual({
      status: "ok",
      response: {},
    });
    expect(socket.received.map(([, , , event, { message }]) => message ?? event)).toEqual([
      "phx_reply",
      "Replication connection established",
      "phx_reply",
    ]);
  });

  test("joins with null for the limit of a replay", async () => {
    using socket = await openRawSocket(realtime.socketUrl({ apikey: SECRET_KEY }));
    const config = { private: true, broadcast: { replay: { since: 0, limit: null } } };
    expect(await socket.ask("realtime:replay", "phx_join", { config })).toMatchObject({ status: "ok" });
  });

  test("is shown under a key that is a number as under its text", async () => {
    using socket = await openRawSocket(realtime.socketUrl());
    await socket.ask("realtime:number", "phx_join", { config: { presence: { key: 7, enabled: true } } });
    await socket.ask("realtime:number", "presence", { event: "track", payload: {} });
    expect(Object.keys(socket.received.find(([, , , event]) => event === "presence_diff")?.[4].joins ?? {})).toEqual(["7"]);
  });

  test.each([[{ private: true, postgres_changes: [null] }], [{ private: true, broadcast: 7 }], [{ private: 1 }], [{ private: "TRUE" }]])(
    "joins no public channel with the unreadable configuration %o of a private one",
    async (config) => {
      using socket = await openRawSocket(realtime.socketUrl());
      expect(await socket.ask("realtime:room", "phx_join", { config })).toMatchObject({
        status: "error",
        response: { reason: "Unauthorized: You do not have permissions to read from this Channel topic: room" },
      });
    },
  );

  test("that joins a topic again loses its earlier channel", async () => {
    using socket = await openRawSocket(realtime.socketUrl());
    await socket.ask("realtime:twice", "phx_join", {});
    await socket.ask("realtime:twice", "phx_join", {});
    expect(socket.received.map(([joinRef, , , event]) => [joinRef, event])).toEqual([
      ["1", "phx_reply"],
      ["1", "phx_close"],
      ["2", "phx_reply"],
    ]);
  });

  test("that leaves gets an answer and the end of the channel", async () => {
    using socket = await openRawSocket(realtime.socketUrl());
    await socket.ask("realtime:left", "phx_join", {});
    // The channel knows its join by the reference of that frame.
    socket.ws.send(JSON.stringify(["1", "9", "realtime:left", "phx_leave", {}]));
    await expect
      .poll(() => socket.received.slice(1))
      .toEqual([
        ["1", "9", "realtime:left", "phx_reply", { status: "ok", response: {} }],
        ["1", "1", "realtime:left", "phx_close", {}],
      ]);
  });
});

test("one client of a network too many is refused, until another one leaves", async () => {
  await using small = await openRealtime(openTestPglite, { max_users_per_network: 2 });
  using _first = await openRawSocket(small.socketUrl());
  using second = await openRawSocket(small.socketUrl());
  expect(await upgradeStatus(small.socketUrl())).toBe(429);
  second.ws.close();
  await once(second.ws, "close");
  await expect.poll(() => upgradeStatus(small.socketUrl())).toBe(101);
});
