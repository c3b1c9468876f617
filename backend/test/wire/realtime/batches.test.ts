import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Database } from "../../../src/db/database.ts";
import { describeDatabases } from "../../database.ts";
import { openRealtime, type RealtimeFixture } from "./fixture.ts";
import { openRawSocket, type RawSocket } from "./raw-socket.ts";

/** The most rows that are read from the outbox at once. */
const ROWS = 500;
const MB = 1_000_000;

const SCHEMA = `
  create table public.parcels (id int primary key, note text);
  grant select on public.parcels to authenticated;
  alter publication supabase_realtime add table public.parcels;`;

describeDatabases("batches from the database", (open) => {
  let database: Database;
  let realtime: RealtimeFixture;
  /** The statements of the service that read the published tables. */
  const reads: string[] = [];
  beforeAll(async () => {
    database = await open({ scripts: [SCHEMA] });
    realtime = await openRealtime(open, {}, recordReads(database, reads));
  });
  afterAll(() => realtime[Symbol.asyncDispose]());

  const sql = (text: string) => database.transaction((tx) => tx.script(text));

  /** Opens a socket that has subscribed to the new rows of `parcels` and has nothing to receive before them. */
  async function openSubscribed(): Promise<RawSocket> {
    // In this version broadcasts are text, too.
    const socket = await openRawSocket(realtime.socketUrl({ vsn: "1.0.0" }));
    const config = {
      postgres_changes: [{ event: "INSERT", schema: "public", table: "parcels" }],
      postgres_changes_options: { wait: true },
    };
    expect(await socket.ask("realtime:parcels", "phx_join", { config, access_token: await realtime.token() })).toMatchObject({
      status: "ok",
    });
    await expect.poll(() => countOf(socket, "system")).toBe(1);
    return socket;
  }

  test("do not stay in memory after they were sent", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc");
    function bytesOfBuffers(): number {
      // The second collection waits until the memory of the first is free.
      collect();
      collect();
      return process.memoryUsage().arrayBuffers;
    }
    using socket = await openSubscribed();
    const before = bytesOfBuffers();
    for (let id = 1; id <= 12; id += 1) {
      const arrived = once(socket.ws, "message");
      await sql(`insert into parcels values (${-id}, repeat('x', ${MB}))`);
      await arrived;
    }
    expect(countOf(socket, "postgres_changes")).toBe(12);
    await expect.poll(() => bytesOfBuffers() - before).toBeLessThan(6 * MB);
  });

  test("of several megabytes reach a client that reads, which stays connected", async () => {
    using socket = await openSubscribed();
    await sql(`insert into parcels select n, repeat('x', ${(5 * MB) / ROWS}) from generate_series(1, ${ROWS}) as n`);
    await expect.poll(() => socket.ws.readyState === WebSocket.CLOSED || countOf(socket, "postgres_changes") === ROWS).toBe(true);
    expect(socket.ws.readyState).toBe(WebSocket.OPEN);
  });

  test("of large rows and messages reach a client that reads, in order", async () => {
    using socket = await openSubscribed();
    const text = "repeat('x', 100000)";
    await sql(`insert into parcels select n, ${text} from generate_series(1001, 1100) as n;
      select realtime.send(jsonb_build_object('id', n, 'text', ${text}), 'sent', 'parcels', false) from generate_series(1101, 1150) as n`);
    const ids = (): unknown[] =>
      socket.received.flatMap(([, , , event, { data, payload }]) =>
        event === "postgres_changes" ? [data?.record?.["id"]] : event === "broadcast" ? [payload?.["id"]] : [],
      );
    await expect.poll(() => socket.ws.readyState === WebSocket.CLOSED || ids().length === 150).toBe(true);
    expect(ids()).toEqual(Array.from({ length: 150 }, (_, index) => 1001 + index));
  });

  test("read the published tables for changes, and not for messages alone", async () => {
    using socket = await openSubscribed();
    reads.length = 0;
    await sql("select realtime.send('{}', 'sent', 'parcels', false)");
    await expect.poll(() => countOf(socket, "broadcast")).toBe(1);
    expect(reads).toEqual([]);
    await sql("insert into parcels values (0, 'a')");
    await expect.poll(() => countOf(socket, "postgres_changes")).toBe(1);
    expect(reads).not.toEqual([]);
  });
});

/** Returns the number of messages of an event that a socket has received. */
function countOf({ received }: RawSocket, event: string): number {
  return received.filter((message) => message[3] === event).length;
}

/** Adds the statements that read the published tables to `reads`. */
function recordReads(database: Database, reads: string[]): Database {
  return {
    ...database,
    transaction: (work, options) =>
      database.transaction((tx) => {
        const last: typeof tx.last = (text, values) => {
          if (text.includes("pg_get_publication_tables")) reads.push(text);
          return tx.last(text, values);
        };
        return work({ ...tx, last });
      }, options),
  };
}
