import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { createTestPostgres } from "backend/test/database.ts";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { WebSocket } from "ws";
import { type RunningProcess, spawnProcess, startProcess, temporaryDirectory } from "../support/product.ts";
import { startedDirectory } from "../support/started-directory.ts";

const HEARTBEAT_MS = 500;

interface Secrets {
  publishableKey: string;
  secretKey: string;
}

const readSecrets = async (dataDir: string): Promise<Secrets> => JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));

function clientOf({ url }: Pick<RunningProcess, "url">, key: string): SupabaseClient {
  return createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { heartbeatIntervalMs: HEARTBEAT_MS, reconnectAfterMs: () => 200 },
  });
}

test("a product that gets SIGTERM closes the connections of its clients, which reconnect as soon as it runs again", async () => {
  await using directory = await startedDirectory();
  await using first = await startProcess("server/build/backend.js", { DATA_DIR: directory.path });
  const { publishableKey } = await readSecrets(directory.path);
  const raw = new WebSocket(`${first.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${publishableKey}&vsn=2.0.0`);
  await once(raw, "open");
  const client = clientOf(first, publishableKey);
  const statuses: string[] = [];
  const received: unknown[] = [];
  const channel = client.channel("news", { config: { broadcast: { self: true, ack: true } } });
  channel.on("broadcast", { event: "*" }, ({ payload }) => received.push(payload)).subscribe((status) => statuses.push(status));
  await expect.poll(() => statuses.at(-1)).toBe("SUBSCRIBED");
  const closed = once(raw, "close");
  expect(await first.stop()).toBe(0);
  expect((await closed)[0]).toBe(1012);
  await expect.poll(() => statuses.at(-1)).toBe("CHANNEL_ERROR");
  const second = spawnProcess("server/build/backend.js", { DATA_DIR: directory.path, PORT: new URL(first.url).port });
  await expect.poll(() => statuses.at(-1)).toBe("SUBSCRIBED");
  expect(await channel.send({ type: "broadcast", event: "back", payload: { n: 1 } })).toBe("ok");
  expect(received).toEqual([{ n: 1 }]);
  await client.realtime.disconnect();
  const exited = once(second, "exit");
  second.kill();
  await exited;
});

test.skipIf(inject("postgres") === null)(
  "the members of a killed process leave, and the clients of another process go on receiving changes",
  async () => {
    await using directory = await temporaryDirectory();
    const { url: databaseUrl, remove } = await createTestPostgres({ prepared: inject("seededDatabase") });
    const env = { DATA_DIR: directory.path, DATABASE_URL: databaseUrl };
    await using killed = await startProcess("server/build/backend.js", env);
    await using other = await startProcess("server/build/backend.js", env);
    const { secretKey } = await readSecrets(directory.path);
    const staying = clientOf(other, secretKey);
    const changes: unknown[] = [];
    const room = staying.channel("room", { config: { presence: { key: "jo", enabled: true } } });
    room.on("postgres_changes", { event: "UPDATE", schema: "public", table: "course_dates" }, ({ new: row }) =>
      changes.push(row["description"]),
    );
    room.on("presence", { event: "sync" }, () => undefined).subscribe();
    await expect.poll(() => room.state).toBe("joined");
    await room.track({});
    const leaving = clientOf(killed, secretKey);
    const same = leaving.channel("room", { config: { presence: { key: "sam", enabled: true } } });
    same.on("presence", { event: "sync" }, () => undefined).subscribe();
    await expect.poll(() => same.state).toBe("joined");
    await same.track({});
    await expect.poll(() => Object.keys(room.presenceState()).toSorted()).toEqual(["jo", "sam"]);

    const [date] = (await staying.from("course_dates").select("id").limit(1)).data ?? [];
    const describe = async (description: string): Promise<void> => {
      const { error } = await staying.from("course_dates").update({ description }).eq("id", date?.id);
      if (error) throw error;
    };
    await expect.poll(async () => (await describe("before"), changes.length)).toBeGreaterThan(0);
    const before = changes.length;
    process.kill(Number(killed.pid), "SIGKILL");
    // The next change comes at once, before the lease of the killed process ends.
    await describe("after");
    await expect.poll(() => changes.slice(before)).toContain("after");
    // Other processes ignore members that were not renewed for 15 seconds.
    const database = new pg.Client({ connectionString: databaseUrl });
    await database.connect();
    await database.query("update realtime.members set seen_at = seen_at - interval '15 seconds' where key = 'sam'");
    await database.end();
    await expect.poll(() => Object.keys(room.presenceState())).toEqual(["jo"]);
    await Promise.all([staying.realtime.disconnect(), leaving.realtime.disconnect()]);
    await other.stop();
    await remove();
  },
);
