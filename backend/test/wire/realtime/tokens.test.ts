import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { describeDatabases, openTestPglite } from "../../database.ts";
import { openRealtime, subscribed, VERSIONS, type RealtimeFixture } from "./fixture.ts";
import { openRawSocket, type RawSocket } from "./raw-socket.ts";

const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

describeDatabases("a channel", (open) => {
  let realtime: RealtimeFixture;
  beforeAll(async () => {
    realtime = await openRealtime(open);
  });
  afterAll(() => realtime[Symbol.asyncDispose]());

  describe.each(VERSIONS)("of version %s", (vsn) => {
    test("ends with a message when its token runs out", async () => {
      const token = await realtime.token({ exp: inSeconds(45) });
      const client = realtime.client({ vsn, accessToken: () => Promise.resolve(token) });
      await client.realtime.setAuth();
      const messages: unknown[] = [];
      const channel = client.channel("short").on("system", {}, (message) => messages.push(message));
      await subscribed(channel);
      realtime.sweep(50_000);
      await expect.poll(() => channel.state).toBe("closed");
      const message = expect.stringMatching(/^Token has expired \d seconds ago$/);
      expect(messages).toEqual([{ extension: "system", status: "error", message, channel: "short" }]);
    });

    test("stays with the token that the client sends in time", async () => {
      const tokens = [await realtime.token({ exp: inSeconds(45) }), await realtime.token()];
      const client = realtime.client({ vsn, accessToken: () => Promise.resolve(tokens[0] ?? null) });
      await client.realtime.setAuth();
      const channel = await subscribed(client.channel("long", { config: { broadcast: { ack: true } } }));
      tokens.shift();
      await client.realtime.setAuth();
      const send = () => channel.send({ type: "broadcast", event: "e", payload: {} });
      // The token was sent before, so the service has it.
      expect(await send()).toBe("ok");
      realtime.sweep(50_000);
      expect(await send()).toBe("ok");
    });

    test("ends when it is sent a token of a stranger", async () => {
      const tokens = [await realtime.token(), `${await realtime.token()}AAAA`];
      const client = realtime.client({ vsn, accessToken: () => Promise.resolve(tokens[0] ?? null) });
      await client.realtime.setAuth();
      const messages: unknown[] = [];
      const channel = client.channel("stranger").on("system", {}, ({ message }) => messages.push(message));
      await subscribed(channel);
      tokens.shift();
      await client.realtime.setAuth();
      await expect.poll(() => channel.state).toBe("closed");
      expect(messages).toEqual(["Failed to validate JWT signature"]);
    });
  });

  test("ends when its user signs out, also after the clock was set back", async () => {
    const [user, session] = [crypto.randomUUID(), crypto.randomUUID()];
    await realtime.database.transaction(async (tx) => {
      await tx.query("insert into auth.users (id, email) values ($1::text::uuid, $1)", [user]);
      await tx.query("insert into auth.sessions (id, user_id) values ($2::text::uuid, $1::text::uuid)", [user, session]);
    });
    const token = await realtime.token({ sub: user, session_id: session });
    const client = realtime.client({ accessToken: () => Promise.resolve(token) });
    await client.realtime.setAuth();
    const channel = await subscribed(client.channel("signed-in"));
    await realtime.database.transaction((tx) => tx.query("delete from auth.sessions where id = $1::text::uuid", [session]));
    const ms = performance.now.bind(performance);
    const date = Date.now;
    vi.spyOn(performance, "now").mockImplementation(() => ms() + 11_000);
    vi.spyOn(Date, "now").mockImplementation(() => date() - 7_200_000);
    onTestFinished(() => void vi.restoreAllMocks());
    await expect.poll(() => channel.state).toBe("closed");
  });
});

test("a channel behind hundreds of sockets ends when its token runs out, while other sockets open and close", async () => {
  await using crowded = await openRealtime(openTestPglite, { max_concurrent_users: 1000, max_anonymous_frames_per_second: 1_000_000 });
  using opened = new DisposableStack();
  let count = 0;
  async function open(): Promise<RawSocket> {
    count += 1;
    return opened.use(await openRawSocket(crowded.socketUrl(), `10.0.${count >> 8}.${count & 255}`));
  }
  await Promise.all(Array.from({ length: 500 }, open));
  const last = await open();
  const token = await crowded.token({ exp: inSeconds(3) });
  expect(await last.ask("realtime:short", "phx_join", { config: {}, access_token: token })).toMatchObject({ status: "ok" });
  while (!last.received.some(([, , , event]) => event === "phx_close")) {
    const visitor = await open();
    visitor.ws.terminate();
  }
  const message = expect.stringMatching(/^Token has expired \d seconds ago$/);
  expect(last.received).toContainEqual([null, null, "realtime:short", "system", expect.objectContaining({ status: "error", message })]);
  await expect.poll(() => crowded.realtime.sockets.open.size).toBe(501);
  expect(crowded.logged).toEqual([]);
});
