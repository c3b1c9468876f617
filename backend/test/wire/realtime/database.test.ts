import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRealtime, subscribed, VERSIONS, type RealtimeFixture } from "./fixture.ts";
import { openRawSocket } from "./raw-socket.ts";

const SCHEMA = `
  create table public.seats (id int primary key, owner uuid, note text);
  alter table public.seats enable row level security;
  grant select on public.seats to anon, authenticated;
  create policy own on public.seats for select to authenticated using (owner = (select auth.uid()));
  alter publication supabase_realtime add table public.seats;
  create table public.amounts (id bigint primary key, amount numeric, tags jsonb);
  grant select on public.amounts to authenticated;
  alter publication supabase_realtime add table public.amounts;
  create table public.guests (name text primary key);
  grant select on public.guests to authenticated;
  create policy "guests read" on realtime.messages for select to authenticated
    using (realtime.topic() like 'room%' and auth.uid()::text in (select name from public.guests));
  create policy "guests write" on realtime.messages for insert to authenticated
    with check ((realtime.topic() = 'room' or auth.jwt() ->> 'writes' = realtime.topic()) and auth.uid()::text in (select name from public.guests));`;

describeDatabases("channels and the database", (open) => {
  let realtime: RealtimeFixture;
  beforeAll(async () => {
    realtime = await openRealtime(() => open({ scripts: [SCHEMA] }));
  });
  afterAll(() => realtime[Symbol.asyncDispose]());

  async function user(vsn?: string) {
    const id = crypto.randomUUID();
    let token = await realtime.token({ sub: id });
    const client = realtime.client({ accessToken: () => Promise.resolve(token), ...(vsn === undefined ? {} : { vsn }) });
    await client.realtime.setAuth();
    async function refresh(claims: Record<string, string> = {}): Promise<void> {
      token = await realtime.token({ sub: id, refreshed: crypto.randomUUID(), ...claims });
      await client.realtime.setAuth();
    }
    return { id, client, refresh };
  }

  const sql = (text: string, values: string[] = []) => realtime.database.transaction((tx) => tx.query(text, values));

  /** Joins a private topic of its own that has stored messages, sent by `send`, and notes the numbers that are replayed. */
  async function replayedNumbers(send: string) {
    const { id, client } = await user();
    await sql("insert into guests values ($1)", [id]);
    const topic = `room ${crypto.randomUUID()}`;
    await sql(send, [topic]);
    // Statistics, as a server collects them at some time, let the planner sort instead of using the index.
    await sql("analyze realtime.messages");
    const numbers: unknown[] = [];
    const channel = client.channel(topic, { config: { private: true, broadcast: { replay: { since: Date.now() - 60_000, limit: 25 } } } });
    await subscribed(channel.on("broadcast", { event: "*" }, ({ payload }) => numbers.push(payload["n"])));
    return numbers;
  }

  test("replay the newest messages of a transaction in the order in which it sent them", async () => {
    const numbers = await replayedNumbers("select realtime.send(jsonb_build_object('n', n), 'note', $1) from generate_series(1, 200) as n");
    await expect.poll(() => numbers).toEqual(Array.from({ length: 25 }, (_, index) => 176 + index));
  });

  test("replay messages of more than a megabyte together, and each, without a disconnection", async () => {
    const sizes = "case n when 25 then 1100000 else 200000 end";
    const numbers = await replayedNumbers(
      `select realtime.send(jsonb_build_object('n', n, 'text', repeat('x', ${sizes})), 'note', $1) from generate_series(1, 25) as n`,
    );
    await expect.poll(() => numbers).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
  });

  describe.each(VERSIONS)("with clients of version %s", (vsn) => {
    test("deliver to each user the changes of its own rows, after a join that waited for the subscription", async () => {
      const [ann, ben] = await Promise.all([user(vsn), user(vsn)]);
      const seen: Record<string, unknown[]> = { ann: [], ben: [] };
      for (const [name, { client }] of Object.entries({ ann, ben })) {
        const channel = client.channel("seats", { config: { postgres_changes_options: { wait: true } } });
        channel.on("postgres_changes", { event: "*", schema: "public", table: "seats" }, (change) =>
          seen[name]?.push([change.eventType, change.new]),
        );
        await subscribed(channel);
      }
      const numbers = vsn === "1.0.0" ? [1, 2] : [3, 4];
      await sql(`insert into seats values (${numbers[0]}, $1::text::uuid, 'a'), (${numbers[1]}, $2::text::uuid, 'b')`, [ann.id, ben.id]);
      await expect
        .poll(() => seen)
        .toEqual({
          ann: [["INSERT", { id: numbers[0], owner: ann.id, note: "a" }]],
          ben: [["INSERT", { id: numbers[1], owner: ben.id, note: "b" }]],
        });
    });

    test("deliver the changes that the claims of the newest token permit, and send what they permit", async () => {
      const [ann, ben] = await Promise.all([user(vsn), user(vsn)]);
      await sql("insert into guests values ($1), ($2)", [ann.id, ben.id]);
      const topic = `room ${crypto.randomUUID()}`;
      const owners: unknown[] = [];
      const config = { private: true, broadcast: { ack: true }, postgres_changes_options: { wait: true } };
      const channel = ann.client.channel(topic, { config });
      await subscribed(
        channel.on("postgres_changes", { event: "INSERT", schema: "public", table: "seats" }, (change) => owners.push(change.new["owner"])),
      );
      const id = vsn === "1.0.0" ? 10 : 20;
      const insert = (first: number) =>
        sql(`insert into seats values (${id + first}, $1::text::uuid), (${id + first + 1}, $2::text::uuid)`, [ann.id, ben.id]);
      const send = () => channel.send({ type: "broadcast", event: "e", payload: {} });
      await insert(0);
      await expect.poll(() => owners).toEqual([ann.id]);
      expect(await send()).toBe("error");
      await ann.refresh({ sub: ben.id, writes: topic });
      expect(await send()).toBe("ok");
      await insert(2);
      await expect.poll(() => owners).toEqual([ann.id, ben.id]);
      await ann.refresh({ sub: ben.id });
      expect(await send()).toBe("ok");
      // The second new token within ten seconds waits for its turn.
      realtime.sweep(11_000);
      await expect.poll(send).toBe("error");
    });

    test("deliver numbers with the digits that the database has, which other languages can read", async () => {
      const id = crypto.randomUUID();
      await sql("insert into guests values ($1)", [id]);
      using socket = await openRawSocket(realtime.socketUrl({ vsn }));
      const texts: string[] = [];
      socket.ws.on("message", (data) => Buffer.isBuffer(data) && texts.push(data.toString()));
      const topic = `room ${crypto.randomUUID()}`;
      const join = async (config: object) =>
        socket.ask(`realtime:${topic}`, "phx_join", {
          config: { private: true, ...config },
          access_token: await realtime.token({ sub: id }),
        });
      const count = (text: string): number => texts.join().split(text).length - 1;
      const changes = [{ event: "*", schema: "public", table: "amounts" }];
      expect(await join({ postgres_changes: changes, postgres_changes_options: { wait: true } })).toMatchObject({ status: "ok" });
      await sql(`insert into amounts values (9007199254740993, 1.50, '[12345678901234567890, "1.50", 0.1]')`);
      await expect.poll(() => count('"record":{"id":9007199254740993,"amount":1.50,"tags":[12345678901234567890,"1.50",0.1]}')).toBe(1);
      await sql("delete from amounts");
      await expect.poll(() => count('"old_record":{"id":9007199254740993}')).toBe(1);
      await sql("select realtime.send('{\"id\": 9007199254740993, \"n\": -1.0}', 'note', $1)", [topic]);
      await expect.poll(() => count('"n":-1.0,"id":9007199254740993')).toBe(1);
      await join({ broadcast: { replay: { since: Date.now() - 60_000 } } });
      await expect.poll(() => count('"n":-1.0,"id":9007199254740993')).toBe(2);
    });

    test("deliver the changes of a large transaction in order", async () => {
      const { id, client } = await user(vsn);
      const seen: unknown[] = [];
      const channel = client.channel("seats", { config: { postgres_changes_options: { wait: true } } });
      channel.on("postgres_changes", { event: "*", schema: "public", table: "seats" }, (change) => seen.push(change.new));
      await subscribed(channel);
      const first = vsn === "1.0.0" ? 1000 : 3000;
      await sql(
        "insert into seats select n, $1::text::uuid, repeat('x', n % 50 * 20) from generate_series($2::text::int, $2::text::int + 899) n",
        [id, String(first)],
      );
      await expect.poll(() => seen.length).toBe(900);
      expect(seen).toEqual(
        Array.from({ length: 900 }, (_, index) => ({ id: first + index, owner: id, note: "x".repeat(((first + index) % 50) * 20) })),
      );
    });

    test("deliver after a restart of the service all that SQL sent during it, in order", async () => {
      const { id, client } = await user(vsn);
      await sql("insert into guests values ($1)", [id]);
      const topic = `room ${crypto.randomUUID()}`;
      const received: unknown[] = [];
      const channel = client.channel(topic, { config: { private: true, broadcast: { replay: { since: Date.now() - 1000, limit: 25 } } } });
      const statuses: string[] = [];
      channel.on("broadcast", { event: "*" }, ({ payload }) => received.push(payload["n"]));
      channel.subscribe((status) => statuses.push(status));
      await expect.poll(() => statuses).toEqual(["SUBSCRIBED"]);
      await sql("select realtime.send('{\"n\": 1}', 'note', $1)", [topic]);
      await expect.poll(() => received).toEqual([1]);
      const restarted = realtime.restart();
      for (const n of [2, 3, 4]) await sql("select realtime.send(jsonb_build_object('n', $2::text::int), 'note', $1)", [topic, String(n)]);
      await restarted;
      await expect.poll(() => statuses).toEqual(["SUBSCRIBED", "CHANNEL_ERROR", "SUBSCRIBED"]);
      await expect.poll(() => received).toEqual([1, 1, 2, 3, 4]);
    });

    test("report a subscription that is not possible without ending the channel", async () => {
      const { client } = await user(vsn);
      const messages: unknown[] = [];
      const channel = client.channel("nothing").on("system", {}, (message) => messages.push(message));
      channel.on("postgres_changes", { event: "*", schema: "public", table: "no_such_table" }, () => undefined);
      await subscribed(channel);
      await expect
        .poll(() => messages)
        .toEqual([expect.objectContaining({ extension: "postgres_changes", status: "error", channel: "nothing" })]);
      expect(channel.state).toBe("joined");
    });

    test("ask the policies about private topics, and again when the token changes", async () => {
      const [ann, ben] = await Promise.all([user(vsn), user(vsn)]);
      await sql("insert into guests values ($1), ($2)", [ann.id, ben.id]);
      const config = { private: true, broadcast: { ack: true } };
      const received: unknown[] = [];
      const sender = await subscribed(ann.client.channel("room", { config }));
      const receiver = ben.client.channel("room", { config }).on("broadcast", { event: "*" }, ({ payload }) => received.push(payload));
      const messages: unknown[] = [];
      await subscribed(receiver.on("system", {}, ({ message }) => messages.push(message)));
      expect(await sender.send({ type: "broadcast", event: "e", payload: { n: 1 } })).toBe("ok");
      await expect.poll(() => received).toEqual([{ n: 1 }]);
      const reader = await subscribed(ann.client.channel("room 2", { config }));
      expect(await reader.send({ type: "broadcast", event: "e", payload: {} })).toBe("error");
      const elsewhere = await subscribed(ann.client.channel("elsewhere", { config: { broadcast: { ack: true } } }));
      expect(await elsewhere.send({ type: "broadcast", event: "e", payload: {} })).toBe("ok");
      await sql("delete from guests where name = $1", [ben.id]);
      await ben.refresh();
      await expect.poll(() => receiver.state).toBe("closed");
      expect(messages).toEqual(["You no longer have permission to read from this Channel topic: room"]);
    });

    test("deliver messages that SQL sends, and replay them to a client that joins later", async () => {
      const { id, client } = await user(vsn);
      await sql("insert into guests values ($1)", [id]);
      const since = Date.now() - 1000;
      const topic = `room ${crypto.randomUUID()}`;
      const received: unknown[] = [];
      const messages: unknown[] = [];
      const live = client.channel(topic, { config: { private: true, broadcast: { replication_ready: true } } });
      live.on("system", {}, (message) => messages.push(message));
      await subscribed(live.on("broadcast", { event: "*" }, ({ payload, meta }) => received.push([payload, meta])));
      const message = "Replication connection established";
      await expect.poll(() => messages).toEqual([{ extension: "system", status: "ok", message, channel: topic }]);
      await sql("select realtime.send('{\"n\": 1}', 'note', $1)", [topic]);
      const [stored] = await sql("select id::text from realtime.messages where topic = $1", [topic]);
      await expect.poll(() => received).toEqual([[{ n: 1, id: stored?.["id"] }, { id: stored?.["id"] }]]);
      await client.removeChannel(live);
      const replayed: unknown[] = [];
      const late = client.channel(topic, { config: { private: true, broadcast: { replay: { since, limit: 5 } } } });
      await subscribed(late.on("broadcast", { event: "*" }, ({ payload, meta }) => replayed.push([payload, meta])));
      await expect.poll(() => replayed).toEqual([[expect.objectContaining({ n: 1 }), { replayed: true, id: expect.any(String) }]]);
    });

    test("replay bytes that SQL sent, which clients of version 1.0.0 cannot receive", async () => {
      const { id, client } = await user(vsn);
      await sql("insert into guests values ($1)", [id]);
      const topic = `room ${crypto.randomUUID()}`;
      await sql("select realtime.send_binary('\\xdead00ff', 'bytes', $1)", [topic]);
      await sql("select realtime.send('{\"n\": 1}', 'note', $1)", [topic]);
      const replayed: unknown[] = [];
      const channel = client.channel(topic, { config: { private: true, broadcast: { replay: { since: Date.now() - 10_000 } } } });
      channel.on("broadcast", { event: "*" }, ({ event, payload, meta }) =>
        replayed.push([event, payload instanceof ArrayBuffer ? Buffer.from(payload).toString("hex") : payload["n"], meta]),
      );
      await subscribed(channel);
      const meta = { replayed: true, id: expect.any(String) };
      const bytes = vsn === "1.0.0" ? [] : [["bytes", "dead00ff", meta]];
      await expect.poll(() => replayed).toEqual([...bytes, ["note", 1, meta]]);
    });

    test("take the token of a private join also by its former name", async () => {
      const id = crypto.randomUUID();
      await sql("insert into guests values ($1)", [id]);
      using socket = await openRawSocket(realtime.socketUrl({ vsn }));
      const join = { config: { private: true }, user_token: await realtime.token({ sub: id }) };
      expect(await socket.ask("realtime:room", "phx_join", join)).toMatchObject({ status: "ok" });
    });
  });

  test("do not fail a transaction whose message cannot be sent, except that of a trigger for statements", async () => {
    await realtime.database.transaction(async (tx) => {
      await tx.query("select realtime.send('{}', 'note', null), realtime.send_binary('x', 'note', null)");
      await tx.query("insert into guests values ('after a failed message')");
    });
    expect(await sql("select from guests where name = 'after a failed message'")).toHaveLength(1);
    const change = "select realtime.broadcast_changes('room', 'UPDATE', 'UPDATE', 'seats', 'public', row(1), row(1), 'STATEMENT')";
    await expect(sql(change)).rejects.toThrow("function can only be triggered for each row, not for each statement");
  });
});
