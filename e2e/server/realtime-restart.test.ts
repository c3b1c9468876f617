import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { createTestPostgres, prepareDataDirectory } from "backend/test/database.ts";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";
import { expect, inject, test } from "vitest";
import { spawnProcess, startProcess, temporaryDirectory } from "../support/product.ts";

const KEYS = { PUBLISHABLE_KEY: "sb_publishable_of-a-restart-0123456789", SECRET_KEY: "sb_secret_of-a-restart-0123456789abcdef" };
const READER = { email: "reader@larkfell-training.example", password: "seven lanes to Penrith" };
/** A replay has at most 25 messages. */
const REPLAY = { limit: 25 };
const PROJECT = `
  create table public.seats (id int primary key);
  grant select, insert on public.seats to service_role;
  create function public.tell_seats() returns trigger language plpgsql as $$
    begin
      perform realtime.broadcast_changes('seats', tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
      return null;
    end $$;
  create trigger tell_seats after insert on public.seats for each row execute function public.tell_seats();
  create policy "all read seats" on realtime.messages for select to authenticated using (realtime.topic() = 'seats');`;

function clientOf(url: string, key: string): SupabaseClient {
  return createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { reconnectAfterMs: () => 200 },
  });
}

async function writeProject(directory: string): Promise<string> {
  const project = join(directory, "project");
  await mkdir(join(project, "migrations"), { recursive: true });
  await writeFile(join(project, "config.toml"), "");
  await writeFile(join(project, "migrations/20260101000000_seats.sql"), PROJECT);
  return project;
}

const POSTGRES = "one of two processes on a PostgreSQL server";
test.for<[where: string, signal: NodeJS.Signals]>([
  ["the only process, with the embedded database", "SIGTERM"],
  ["the only process, with the embedded database", "SIGKILL"],
  [POSTGRES, "SIGTERM"],
  [POSTGRES, "SIGKILL"],
])(
  "a client of %s that ends with %s receives every change once the process runs again, also those made meanwhile",
  async ([where, signal], { skip }) => {
    const isShared = where === POSTGRES;
    skip(isShared && inject("postgres") === null);
    await using directory = await temporaryDirectory(TEMPORARY_FILES);
    await using cleanup = new AsyncDisposableStack();
    const database = isShared ? cleanup.adopt(await createTestPostgres(), ({ remove }) => remove()) : undefined;
    const env = {
      ...KEYS,
      DATA_DIR: join(directory.path, "data"),
      SUPABASE_DIR: await writeProject(directory.path),
      ...(database && { DATABASE_URL: database.url }),
    };
    if (!isShared) prepareDataDirectory(env.DATA_DIR);
    await using first = await startProcess("server/build/backend.js", isShared ? env : { ...env, START_FRESH: "secrets" });
    const other = isShared ? cleanup.use(await startProcess("server/build/backend.js", env)) : undefined;
    const writer = clientOf(other?.url ?? first.url, KEYS.SECRET_KEY);
    let seats = 0;
    /** Writes rows at once; without the service some or all of them fail. */
    const write = (count: number) =>
      Promise.all(Array.from({ length: count }, async () => writer.from("seats").insert({ id: (seats += 1) })));

    // Anonymous clients have half a second for a join, and a limit of database time: too little on a busy machine.
    const client = clientOf(first.url, KEYS.PUBLISHABLE_KEY);
    const { error: refusal } = await writer.auth.admin.createUser({ ...READER, email_confirm: true });
    expect([refusal, (await client.auth.signInWithPassword(READER)).error]).toEqual([null, null]);
    cleanup.defer(async () => void (await client.realtime.disconnect()));
    const statuses: string[] = [];
    const received = new Set<unknown>();
    client
      .channel("seats", { config: { private: true, broadcast: { replay: { since: Date.now(), ...REPLAY } } } })
      .on("broadcast", { event: "*" }, ({ payload }) => received.add(payload["record"]["id"]))
      .subscribe((status) => statuses.push(status));
    // A join is refused if its policies take longer than three seconds; the client joins again.
    await expect.poll(() => statuses.at(-1)).toBe("SUBSCRIBED");
    statuses.length = 0;
    await write(2);
    const cut = write(5);
    process.kill(Number(first.pid), signal);
    await cut;
    await expect.poll(() => statuses).toEqual(["CHANNEL_ERROR"]);
    await first.stop();
    await write(3);

    const again = spawnProcess("server/build/backend.js", { ...env, PORT: new URL(first.url).port });
    cleanup.defer(async () => {
      const exited = once(again, "exit");
      again.kill();
      await exited;
    });
    // The client joins again meanwhile.
    await expect.poll(async () => (await write(1))[0]?.error ?? null).toBeNull();
    await write(3);
    await expect.poll(() => statuses.at(-1)).toBe("SUBSCRIBED");
    await write(1);
    const { data, error } = await writer.from("seats").select("id");
    expect(error).toBeNull();
    const committed: unknown[] = (data ?? []).map(({ id }) => id);
    expect(committed).toContain(seats);
    expect(committed.length).toBeLessThanOrEqual(REPLAY.limit);
    await expect.poll(() => committed.filter((id) => !received.has(id))).toEqual([]);
  },
);
