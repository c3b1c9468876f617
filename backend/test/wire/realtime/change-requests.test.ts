import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRealtime, SECRET_KEY, subscribed, VERSIONS, type RealtimeFixture } from "./fixture.ts";
import { openRawSocket } from "./raw-socket.ts";

const SCHEMA = `
  create schema other;
  create table public.seats (id int generated always as identity primary key, note text);
  create table other.seats (id int generated always as identity primary key, note text);
  grant usage on schema other to service_role;
  grant select on public.seats, other.seats to service_role;
  alter publication supabase_realtime add table public.seats, other.seats;`;

/** A request of a client without types. */
type Request = Record<string, unknown>;

describeDatabases("a request for changes", (open) => {
  let realtime: RealtimeFixture;
  beforeAll(async () => {
    realtime = await openRealtime(() => open({ scripts: [SCHEMA] }));
  });
  afterAll(() => realtime[Symbol.asyncDispose]());

  /** Writes a row to both tables; that of the other schema comes first. */
  const insert = (note: string) =>
    realtime.database.transaction(async (tx) => {
      await tx.query("insert into other.seats (note) values ('of the other schema')");
      await tx.query("insert into public.seats (note) values ($1)", [note]);
    });

  describe.each(VERSIONS)("of version %s", (vsn) => {
    test.each<[name: string, request: Request]>([
      ["without a schema", { event: "INSERT", table: "seats" }],
      ["with null for all it leaves out", { event: "INSERT", schema: null, table: "seats", filter: null, select: null }],
      ["with an event in lower case", { event: "insert", schema: "public", table: "seats" }],
      ["without an event", { table: "seats", extra: [1] }],
      ["of all tables, without a schema", { event: "*", table: "*" }],
    ])("%s is of the schema public, and is answered as it was sent", async (_name, request) => {
      using socket = await openRawSocket(realtime.socketUrl({ vsn, apikey: SECRET_KEY }));
      const config = { postgres_changes: [null, request], postgres_changes_options: { wait: "TRUE", timeout: null } };
      expect(await socket.ask("realtime:seats", "phx_join", { config })).toEqual({
        status: "ok",
        response: { postgres_changes: [{ ...request, id: 1 }] },
      });
      const notes = () =>
        socket.received.flatMap(([, , , event, { data }]) => (event === "postgres_changes" ? [data?.record?.["note"]] : []));
      await insert("a");
      await expect.poll(notes).toEqual(["a"]);
    });

    test("without a schema subscribes a client of the official library", async () => {
      const notes: unknown[] = [];
      const channel = realtime.client({ vsn, key: SECRET_KEY }).channel("seats", { config: { postgres_changes_options: { wait: true } } });
      const filter = { event: "INSERT", schema: "public", table: "seats" } as const;
      // As clients without types may write it.
      Reflect.deleteProperty(filter, "schema");
      channel.on("postgres_changes", filter, (change) => notes.push(change.new["note"]));
      await subscribed(channel);
      await insert("b");
      await expect.poll(() => notes).toEqual(["b"]);
    });

    test.each<[names: string, request: Request]>([
      ["schema", { event: "*", schema: 7 }],
      ["table, filter", { event: "*", schema: "public", table: {}, filter: [] }],
      ["select", { event: "*", schema: "public", table: "seats", select: [7] }],
    ])("whose %s is no text is reported, and the channel stays", async (names, request) => {
      using socket = await openRawSocket(realtime.socketUrl({ vsn, apikey: SECRET_KEY }));
      const message = `Unable to subscribe to changes with given parameters. Please check your connect parameters: [${names}]`;
      const config = { broadcast: { ack: true }, postgres_changes: [request] };
      expect(await socket.ask("realtime:seats", "phx_join", { config })).toMatchObject({ status: "ok" });
      await expect.poll(() => socket.received.at(-1)?.[4]).toMatchObject({ extension: "postgres_changes", status: "error", message });
      expect(await socket.ask("realtime:seats", "broadcast", { type: "broadcast", event: "e" })).toEqual({ status: "ok", response: {} });
      const waiting = { ...config, postgres_changes_options: { wait: true } };
      expect(await socket.ask("realtime:seats", "phx_join", { config: waiting })).toEqual({
        status: "error",
        response: { reason: `RealtimeDisabledForConfiguration: ${message}` },
      });
    });
  });
});
