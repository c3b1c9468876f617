import { beforeAll, describe, expect, test } from "vitest";
import { createDatabaseBudget } from "../../../src/anonymous/database-budget.ts";
import { createIdentify } from "../../../src/identity.ts";
import type { Database } from "../../../src/db/database.ts";
import { createRest } from "../../../src/rest/index.ts";
import { describeDatabases, openTestPglite, testLog } from "../../database.ts";
import { type Limits, openRealtime, PUBLISHABLE_KEY, SECRET_KEY } from "./fixture.ts";
import { openRawSocket, type RawSocket, upgradeStatus } from "./raw-socket.ts";

const SCHEMA = `
  create table public.seats (id int primary key, note text);
  alter table public.seats enable row level security;
  grant select on public.seats to anon, authenticated;
  create policy "all read" on public.seats for select using (true);
  alter publication supabase_realtime add table public.seats;
  create function public.spin() returns bigint language sql volatile as $$ select count(*) from generate_series(1, 100000000) a $$;
  create policy "slow" on realtime.messages for select using (realtime.topic() <> 'slow' or public.spin() > 0);`;

const SOCKETS = 20;
const JOINS = 5;
const seats = (filter: string) => ({ event: "*", schema: "public", table: "seats", filter });

/** A private topic with replay and filtered database changes: everything that makes a join ask the database. */
const costlyJoin = (accessToken: string, number: number) => ({
  config: {
    private: true,
    broadcast: { replay: { since: 1 } },
    postgres_changes: [seats(`id=eq.${number}`), seats(`note=match.^${number}`)],
  },
  access_token: accessToken,
});

/** Counts transactions that have not ended. */
function watch(database: Database): { database: Database; open: { count: number } } {
  const open = { count: 0 };
  return {
    open,
    database: {
      ...database,
      async transaction(work, options) {
        open.count += 1;
        try {
          return await database.transaction(work, options);
        } finally {
          open.count -= 1;
        }
      },
    },
  };
}

describeDatabases("the database work of anonymous realtime clients", (open) => {
  let watched: ReturnType<typeof watch>;
  beforeAll(async () => {
    watched = watch(await open({ scripts: [SCHEMA] }));
  });

  async function start() {
    const { database } = watched;
    const budget = createDatabaseBudget();
    const realtime = await openRealtime(open, { max_users_per_network: 100 }, database, budget);
    const api = {
      schemas: ["public"],
      extra_search_path: [],
      max_rows: 1000,
      aggregates_enabled: false,
      plan_enabled: false,
      tx_end: "commit" as const,
    };
    const identify = createIdentify({ publishableKey: PUBLISHABLE_KEY, secretKey: SECRET_KEY }, realtime.jwt);
    const rest = createRest({ database, identify, config: { api }, budget, log: testLog });
    const read = (clientAddress: string) =>
      rest.fetch(new Request("http://larkfell.test/rest/v1/seats?select=id", { headers: { apikey: PUBLISHABLE_KEY } }), { clientAddress });
    return { realtime, read, [Symbol.asyncDispose]: () => realtime[Symbol.asyncDispose]() };
  }

  test("waits in a queue of its own, so that a visitor does not wait for it", async () => {
    await using started = await start();
    const { realtime, read } = started;
    await read("192.0.2.1");

    /** The most transactions that a visitor found open while clients of many networks join. */
    async function attack(accessToken: string): Promise<number> {
      const sockets = await Promise.all(
        Array.from({ length: SOCKETS }, (_, index) => openRawSocket(realtime.socketUrl(), `198.51.100.${index}`)),
      );
      const joins = sockets.flatMap((socket, client) =>
        Array.from({ length: JOINS }, (_, index) =>
          socket.ask(`realtime:${client} ${index}`, "phx_join", costlyJoin(accessToken, client * JOINS + index)),
        ),
      );
      const done = Promise.all(joins).then(() => true);
      let most = 0;
      while (!(await Promise.race([done, new Promise<false>((resolve) => setTimeout(resolve, 5, false))]))) {
        most = Math.max(most, watched.open.count);
        expect((await read("192.0.2.1")).status).toBe(200);
      }
      for (const socket of sockets) socket[Symbol.dispose]();
      await expect.poll(() => realtime.realtime.sockets.open.size + watched.open.count).toBe(0);
      return most;
    }

    // The same joins of signed-in users are not limited: they show that there is something to wait for.
    expect(await attack(await realtime.token())).toBeGreaterThan(SOCKETS / 2);
    expect(await attack(PUBLISHABLE_KEY)).toBeLessThan(6);
  });

  test("is charged to the budget of the client network, which the REST API shares", async () => {
    await using started = await start();
    const { realtime, read } = started;
    using slow = await openRawSocket(realtime.socketUrl(), "198.51.100.1");
    const join = (socket: RawSocket, topic: string) => socket.ask(topic, "phx_join", { config: { private: true } });
    expect(await join(slow, "realtime:slow")).toMatchObject({
      status: "error",
      response: { reason: expect.stringContaining("Unauthorized") },
    });
    expect(await join(slow, "realtime:quick")).toEqual({
      status: "error",
      response: { reason: "ClientJoinRateLimitReached: Your network has used too much database time. Try again later." },
    });
    expect((await read("198.51.100.1")).status).toBe(429);
    using other = await openRawSocket(realtime.socketUrl(), "198.51.100.2");
    expect(await join(other, "realtime:quick")).toMatchObject({ status: "ok" });
    expect((await read("198.51.100.2")).status).toBe(200);
    const headers = { apikey: PUBLISHABLE_KEY, "x-forwarded-for": "198.51.100.1", "content-type": "application/json" };
    const sent = await fetch(`${realtime.url}/realtime/v1/api/broadcast/quick/events/e?private=true`, {
      method: "POST",
      headers,
      body: "{}",
    });
    expect(sent.status).toBe(429);
  });

  test("has at most 50 filters of one network at the same time", async () => {
    await using started = await start();
    const { realtime } = started;
    const subscribe = async (socket: RawSocket, topic: string, filters: number) =>
      socket.ask(topic, "phx_join", {
        config: {
          postgres_changes: Array.from({ length: filters }, (_, index) => seats(`id=eq.${index}`)),
          postgres_changes_options: { wait: true },
        },
      });
    using one = await openRawSocket(realtime.socketUrl(), "198.51.100.1");
    using same = await openRawSocket(realtime.socketUrl(), "198.51.100.1");
    using other = await openRawSocket(realtime.socketUrl(), "198.51.100.2");
    expect(await subscribe(one, "realtime:a", 50)).toMatchObject({ status: "ok" });
    expect(await subscribe(same, "realtime:a", 1)).toEqual({
      status: "error",
      response: { reason: "ChannelRateLimitReached: Too many subscriptions to database changes" },
    });
    expect(await subscribe(other, "realtime:a", 50)).toMatchObject({ status: "ok" });
    await one.ask("realtime:a", "phx_leave", {});
    expect(await subscribe(same, "realtime:a", 50)).toMatchObject({ status: "ok" });
  });
});

describe("the frames of anonymous realtime clients", () => {
  const open = (limits: Limits) => openRealtime(openTestPglite, limits);

  test("are read more slowly than those of signed-in users once their network has sent many", async () => {
    await using realtime = await open({ max_anonymous_frames_per_second: 50 });
    const join = async (socket: RawSocket, token: string) => socket.ask("realtime:a", "phx_join", { config: {}, access_token: token });
    async function flood(address: string, token: string): Promise<number> {
      const sockets = await Promise.all([1, 2].map(() => openRawSocket(realtime.socketUrl(), address)));
      for (const socket of sockets) await join(socket, token);
      const started = performance.now();
      await Promise.all(sockets.flatMap((socket) => Array.from({ length: 150 }, () => socket.ask("phoenix", "heartbeat", {}))));
      for (const socket of sockets) socket[Symbol.dispose]();
      return performance.now() - started;
    }
    const signedIn = flood("198.51.100.1", await realtime.token());
    const anonymous = flood("198.51.100.2", PUBLISHABLE_KEY);
    // 300 frames, of which 100 may come at once; long enough for the others on a busy machine.
    expect(await anonymous).toBeGreaterThan(2400);
    expect(await signedIn).toBeLessThan(await anonymous);
  });

  test("of one network do not refuse the clients of others, whatever it sends", async () => {
    await using realtime = await open({ max_anonymous_frames_per_second: 50 });
    const messages = Array.from({ length: 100 }, () => ({ topic: "a", event: "e", payload: {} }));
    const headers = { apikey: PUBLISHABLE_KEY, "x-forwarded-for": "198.51.100.1", "content-type": "application/json" };
    const flood = Array.from({ length: 20 }, () =>
      fetch(`${realtime.url}/realtime/v1/api/broadcast`, { method: "POST", headers, body: JSON.stringify({ messages }) }),
    );
    expect((await Promise.all(flood)).map(({ status }) => status)).toContain(429);
    for (let upgrade = 0; upgrade < 20; upgrade += 1) await upgradeStatus(realtime.socketUrl(), { "x-forwarded-for": "198.51.100.1" });
    expect(await upgradeStatus(realtime.socketUrl(), { "x-forwarded-for": "198.51.100.2" })).toBe(101);
  });

  test("of many networks do not keep a user from joining", async () => {
    await using realtime = await open({ max_anonymous_frames_per_second: 50 });
    const crowd = Array.from({ length: 100 }, (_, index) => ({ "x-forwarded-for": `198.51.100.${index}` }));
    await Promise.all(crowd.map((headers) => upgradeStatus(realtime.socketUrl(), headers)));
    using late = await openRawSocket(realtime.socketUrl(), "192.0.2.1");
    const started = performance.now();
    expect(await late.ask("realtime:a", "phx_join", { config: {}, access_token: await realtime.token() })).toMatchObject({ status: "ok" });
    // The others together have caused ten seconds' work more than allowed.
    expect(performance.now() - started).toBeLessThan(6000);
  });

  test("give way to a signed-in user when every place is taken, first those of the network with most clients", async () => {
    await using realtime = await open({ max_concurrent_users: 3 });
    const join = (socket: RawSocket, token: string) => socket.ask("realtime:a", "phx_join", { config: {}, access_token: token });
    const crowd = ["198.51.100.1", "198.51.100.2", "198.51.100.2"];
    const sockets = await Promise.all(crowd.map((address) => openRawSocket(realtime.socketUrl(), address)));
    for (const socket of sockets) expect(await join(socket, PUBLISHABLE_KEY)).toMatchObject({ status: "ok" });
    using late = await openRawSocket(realtime.socketUrl());
    expect(await join(late, PUBLISHABLE_KEY)).toMatchObject({
      status: "error",
      response: { reason: "ConnectionRateLimitReached: Too many connected users" },
    });
    expect(await join(late, await realtime.token())).toMatchObject({ status: "ok" });
    await expect.poll(() => sockets.map(({ ws }) => ws.readyState === ws.OPEN).filter(Boolean).length).toBe(2);
    expect(sockets[0]?.ws.readyState).toBe(sockets[0]?.ws.OPEN);
  });
});
