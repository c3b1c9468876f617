import type { RealtimeChannel } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRealtime, subscribed, VERSIONS, type RealtimeFixture } from "./fixture.ts";

const CLIENTS = 100;
const WRITERS = 50;
const ROWS_EACH = 4;

const SCHEMA = `
  create table public.parcels (id int primary key, owner int, n int);
  alter table public.parcels enable row level security;
  grant select on public.parcels to anon, authenticated;
  create policy own on public.parcels for select to authenticated using (owner = (select auth.jwt() ->> 'owner')::int);
  create table public.signals (writer int, n int, primary key (writer, n));
  grant select on public.signals to anon;
  alter publication supabase_realtime add table public.parcels, public.signals;`;

describeDatabases("many clients of the database", (open, kind) => {
  let realtime: RealtimeFixture;
  beforeAll(async () => {
    realtime = await openRealtime(() => open({ scripts: [SCHEMA], poolSize: WRITERS + 4 }), { max_users_per_network: CLIENTS + 2 });
  });
  afterAll(() => realtime[Symbol.asyncDispose]());

  const sql = (text: string, values: string[] = []) => realtime.database.transaction((tx) => tx.query(text, values));

  /** Subscribes to the new rows of a table, which `seen` receives; resolves when the subscription is in place. */
  function subscribe(channel: RealtimeChannel, table: string, seen: unknown[]): Promise<RealtimeChannel> {
    return subscribed(channel.on("postgres_changes", { event: "INSERT", schema: "public", table }, (change) => seen.push(change.new)));
  }

  test(`with ${CLIENTS} different claims each receive exactly the rows that the policies permit them`, async () => {
    const seen = Array.from({ length: CLIENTS }, (): unknown[] => []);
    const wait = { config: { postgres_changes_options: { wait: true } } };
    await Promise.all(
      seen.map(async (rows, owner) => {
        const token = await realtime.token({ owner });
        const client = realtime.client({ vsn: VERSIONS[owner % 2] ?? "", accessToken: () => Promise.resolve(token) });
        await client.realtime.setAuth();
        return subscribe(client.channel("parcels", wait), "parcels", rows);
      }),
    );
    // The last row of each owner follows all others, so a row too many would have arrived before it.
    await sql(`insert into parcels select owner * 10 + n, owner, n from generate_series(0, 99) as owner, generate_series(1, ${ROWS_EACH}) as n
      where owner % 3 > 0 order by n, owner`);
    await sql("insert into parcels select owner * 10 + 9, owner, 9 from generate_series(0, 99) as owner");
    const rowsOf = (owner: number): object[] => [...(owner % 3 > 0 ? [1, 2, 3, 4] : []), 9].map((n) => ({ id: owner * 10 + n, owner, n }));
    await expect.poll(() => seen).toEqual(seen.map((_rows, owner) => rowsOf(owner)));
  });

  test(`receive the rows of ${WRITERS} writers once and in one order, which is that of each writer`, async () => {
    const seen: { writer: number; n: number }[][] = [[], []];
    for (const [index, rows] of seen.entries()) {
      const config = { config: { postgres_changes_options: { wait: true } } };
      await subscribe(realtime.client({ vsn: VERSIONS[index] ?? "" }).channel("signals", config), "signals", rows);
    }
    let writing = 0;
    const allWrite = Promise.withResolvers<void>();
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; n < ROWS_EACH; n += 1)
        await realtime.database.transaction(async (tx) => {
          await tx.query("insert into signals values ($1::text::int, $2::text::int)", [`${writer}`, `${n}`]);
          if (n > 0) return;
          writing += 1;
          if (writing === WRITERS) allWrite.resolve();
          // The embedded database has one transaction at a time.
          if (kind === "postgres") await allWrite.promise;
        });
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    await expect.poll(() => seen.map((rows) => rows.length)).toEqual([WRITERS * ROWS_EACH, WRITERS * ROWS_EACH]);
    expect(seen[1]).toEqual(seen[0]);
    const byWriter = Map.groupBy(seen[0] ?? [], ({ writer }) => writer);
    expect(byWriter.size).toBe(WRITERS);
    for (const rows of byWriter.values()) expect(rows.map(({ n }) => n)).toEqual([0, 1, 2, 3]);
  });
});
