import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../src/db/database.ts";
import { describeDatabases } from "../../database.ts";
import { openRealtime, SECRET_KEY, VERSIONS, type RealtimeFixture } from "./fixture.ts";
import { openRawSocket, type RawSocket } from "./raw-socket.ts";

const SCHEMA = `
  create table public.seats (id int generated always as identity primary key, note text);
  alter table public.seats enable row level security;
  grant select on public.seats to authenticated, service_role;
  alter publication supabase_realtime add table public.seats;`;
const POLICY = `drop policy if exists "read" on public.seats; create policy "read" on public.seats for select using (true);`;

describeDatabases("a subscription to changes", (open, kind) => {
  let database: Database;
  beforeAll(async () => {
    database = await open({ scripts: [SCHEMA] });
  });
  const sql = (text: string) => database.transaction((tx) => tx.script(text));
  const insert = (note: string) => sql(`insert into public.seats (note) values ('${note}')`);

  describe.each(VERSIONS)("of version %s", (vsn) => {
    let realtime: RealtimeFixture;
    beforeAll(async () => {
      realtime = await openRealtime(open, {}, database);
    });
    beforeEach(() => sql(POLICY));
    afterAll(() => realtime[Symbol.asyncDispose]());

    const join = (socket: RawSocket, token: string, timeout = 20_000) =>
      socket.ask("realtime:seats", "phx_join", {
        config: {
          postgres_changes: [{ event: "*", schema: "public", table: "seats" }],
          postgres_changes_options: { wait: true, timeout },
        },
        access_token: token,
      });
    const notesOf = ({ received }: RawSocket): unknown[] =>
      received.flatMap(([, , , event, { data }]) => (event === "postgres_changes" ? [data?.record?.["note"]] : []));

    test("that does not come about in the time that the client gave is refused, and can be made again", async () => {
      using socket = await openRawSocket(realtime.socketUrl({ vsn }));
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      // The first subscription writes its lease.
      const locked = Promise.withResolvers<void>();
      const holding = database.transaction(async (tx) => {
        await tx.query("lock table realtime.readers in access exclusive mode");
        locked.resolve();
        await released;
      });
      await locked.promise;
      const token = await realtime.token();
      expect(await join(socket, token, 200)).toEqual({
        status: "error",
        response: { reason: "PostgresChangesSubscribeTimeout: Timed out after 200ms waiting for the postgres_changes subscription" },
      });
      release();
      await holding;
      expect(await join(socket, token)).toMatchObject({ status: "ok" });
      await insert("a");
      // Once: the late subscription of the first join has ended.
      await expect.poll(() => notesOf(socket)).toEqual(["a"]);
      await insert("b");
      await expect.poll(() => notesOf(socket)).toEqual(["a", "b"]);
    });

    test.skipIf(kind === "pglite")("that was refused receives nothing", async () => {
      await using fresh = await openRealtime(open, {}, database);
      using socket = await openRawSocket(fresh.socketUrl({ vsn }));
      const [writing, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      // The first subscription waits for older transactions, while changes of newer ones are recorded.
      const older = database.transaction(async (tx) => {
        await tx.query("select pg_current_xact_id()");
        writing.resolve();
        await written.promise;
      });
      await writing.promise;
      const token = await fresh.token();
      expect(await join(socket, token, 200)).toMatchObject({ status: "error" });
      await insert("early");
      using witness = await openRawSocket(fresh.socketUrl({ vsn: "1.0.0" }));
      await witness.ask("realtime:seats", "phx_join", {});
      await expect
        .poll(async () => {
          await sql("select realtime.send('{}', 'received', 'seats', false)");
          return witness.received.length;
        })
        .toBeGreaterThan(1);
      written.resolve();
      await older;
      expect(await join(socket, token)).toMatchObject({ status: "ok" });
      await insert("a");
      await expect.poll(() => notesOf(socket)).toEqual(["a"]);
    });

    test.skipIf(kind === "pglite")("that is being made ends with a new token that may not read the table", async () => {
      await using fresh = await openRealtime(open, {}, database);
      using socket = await openRawSocket(fresh.socketUrl({ vsn }));
      using witness = await openRawSocket(fresh.socketUrl({ vsn, apikey: SECRET_KEY }));
      const [writing, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const older = database.transaction(async (tx) => {
        await tx.query("select pg_current_xact_id()");
        writing.resolve();
        await written.promise;
      });
      await writing.promise;
      const config = { postgres_changes: [{ event: "*", schema: "public", table: "seats" }] };
      const access_token = await fresh.token();
      expect(await socket.ask("realtime:seats", "phx_join", { config, access_token })).toMatchObject({ status: "ok" });
      socket.send(null, null, "realtime:seats", "access_token", { access_token: await fresh.token({ role: "anon" }) });
      expect(await socket.ask("phoenix", "heartbeat", {})).toMatchObject({ status: "ok" });
      written.resolve();
      await older;
      await expect.poll(() => socket.received.find(([, , , event]) => event === "system")?.[4]).toMatchObject({ status: "error" });
      expect(await join(witness, SECRET_KEY)).toMatchObject({ status: "ok" });
      await insert("a");
      await expect.poll(() => notesOf(witness)).toEqual(["a"]);
      expect(await socket.ask("phoenix", "heartbeat", {})).toMatchObject({ status: "ok" });
      expect(notesOf(socket)).toEqual([]);
    });

    test("is made again if changes may be missing since the join began", async () => {
      const eventAfterJoin = async (): Promise<string | undefined> => {
        await using fresh = await openRealtime(open, {}, database);
        using socket = await openRawSocket(fresh.socketUrl({ vsn }));
        const token = await fresh.token();
        // As after a long pause of the process.
        await sql("update realtime.readers set leased_until = now()");
        expect(await join(socket, token)).toMatchObject({ status: "ok" });
        await expect.poll(() => socket.received.length).toBeGreaterThan(1);
        const event = socket.received[1]?.[3];
        if (event !== "phx_error") return event;
        expect(await join(socket, token)).toMatchObject({ status: "ok" });
        await insert("a");
        await expect.poll(() => notesOf(socket)).toEqual(["a"]);
        expect(fresh.logged).toEqual(["database changes may be missing: the process had no connection for too long"]);
        return event;
      };
      // The first subscription finds it out, unless a renewal did so before the join; then the subscription misses nothing.
      let event = await eventAfterJoin();
      for (let tries = 1; event === "system" && tries < 10; tries += 1) event = await eventAfterJoin();
      expect(event).toBe("phx_error");
    });

    test("ends with its token", async () => {
      using short = await openRawSocket(realtime.socketUrl({ vsn }));
      using long = await openRawSocket(realtime.socketUrl({ vsn }));
      expect(await join(short, await realtime.token({ exp: Math.floor(Date.now() / 1000) + 45 }))).toMatchObject({ status: "ok" });
      expect(await join(long, await realtime.token())).toMatchObject({ status: "ok" });
      await insert("a");
      await expect.poll(() => [notesOf(short), notesOf(long)]).toEqual([["a"], ["a"]]);
      realtime.sweep(50_000);
      await expect.poll(() => short.received.some(([, , , event]) => event === "phx_close")).toBe(true);
      expect(short.received.find(([, , , event, payload]) => event === "system" && payload.status === "error")?.[4]).toMatchObject({
        message: expect.stringMatching(/^Token has expired \d+ seconds ago$/),
      });
      await insert("b");
      await expect.poll(() => notesOf(long)).toEqual(["a", "b"]);
      expect(notesOf(short)).toEqual(["a"]);
    });

    test("shows the rows that the policies permit now, and none to a role that has lost its rights", async () => {
      using socket = await openRawSocket(realtime.socketUrl({ vsn }));
      using witness = await openRawSocket(realtime.socketUrl({ vsn, apikey: SECRET_KEY }));
      expect(await join(socket, await realtime.token())).toMatchObject({ status: "ok" });
      expect(await join(witness, SECRET_KEY)).toMatchObject({ status: "ok" });
      /** Writes a row and waits until those have it who may see it. */
      async function show(note: string): Promise<void> {
        await insert(note);
        await expect.poll(() => notesOf(witness).at(-1)).toBe(note);
      }
      await show("all");
      await sql(`alter policy "read" on public.seats using (note <> 'hidden')`);
      await show("hidden");
      await show("open");
      await sql("revoke select on public.seats from authenticated");
      await show("no right");
      await sql("grant select on public.seats to authenticated");
      await sql(`drop policy "read" on public.seats`);
      await show("no policy");
      await sql(POLICY);
      await show("all again");
      await expect.poll(() => notesOf(socket)).toEqual(["all", "open", "all again"]);
      expect(socket.received.map(([, , , event]) => event)).toEqual([
        "phx_reply",
        "system",
        ...Array.from({ length: 3 }, () => "postgres_changes"),
      ]);
    });
  });
});
