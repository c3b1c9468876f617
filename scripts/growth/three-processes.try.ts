import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import pg from "pg";
import { createPostgresDatabase } from "backend/test/postgres/databases.ts";
import { STAFF, temporaryDirectory } from "../../e2e/support/product.ts";
import { canRunProxy, type ProxyName, startProxy } from "../../e2e/support/proxy.ts";
import { driveLoad, type LoadResult, printLoad } from "./load.ts";
import { type Processes, startProcesses } from "./processes.ts";

// Caddy does not believe the client's X-Forwarded-For, so the limit of one client, 600 views in ten minutes, applies there.
const WRITES_PER_SECOND: Record<ProxyName, number> = { nginx: 10, caddy: 5 };
const ROUNDS = 200;
const PROXIES: readonly ProxyName[] = ["nginx", "caddy"];
const runs = PROXIES.every(canRunProxy) && inject("postgres") !== null;
if (!runs) process.stdout.write("SKIPPED: three processes behind a proxy need nginx, Caddy, openssl and PostgreSQL\n");

describe.skipIf(!runs)("three processes on one Postgres", () => {
  const cleanup = new AsyncDisposableStack();
  let databaseUrl: string;
  let processes: Processes;

  beforeAll(async () => {
    databaseUrl = await createPostgresDatabase(inject("postgres")?.url ?? "", "three_processes");
    const backups = cleanup.use(await temporaryDirectory());
    const behindProxies = { SITE_URL: "https://www.example.org", TRUST_PROXY: "2", DRAIN_SECONDS: "5" };
    const nightly = { BACKUP_DIR: backups.path, BACKUP_PASSPHRASE: "words of a passphrase" };
    processes = cleanup.use(await startProcesses(3, { DATABASE_URL: databaseUrl, ...behindProxies, ...nightly }));
  });
  afterAll(() => cleanup.disposeAsync());

  async function sql(text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  async function viewsStored(): Promise<number> {
    const [row] = await sql("select coalesce(sum(count), 0)::integer as views from private.visit_counts where kind = 'page'");
    return Number(row?.["views"]);
  }

  /** Drives load through a proxy during `work`. No acknowledged view may be lost, and none counted twice. */
  async function loadDuring(name: ProxyName, seconds: number, work: () => Promise<void>): Promise<LoadResult> {
    await using proxy = await startProxy(name, processes.urls);
    const before = await viewsStored();
    const driven = driveLoad({
      port: proxy.https,
      ca: proxy.ca,
      key: processes.publishableKey,
      seconds,
      readsPerSecond: 40,
      writesPerSecond: WRITES_PER_SECOND[name],
    });
    await delay(3000);
    await work();
    const result = await driven;
    const stored = (await viewsStored()) - before;
    expect(stored).toBeGreaterThanOrEqual(result.writes.succeeded);
    expect(stored).toBeLessThanOrEqual(result.writes.sent);
    return result;
  }

  test("every process shows a post once the write on another one is acknowledged", async () => {
    const apikey = processes.publishableKey;
    const headers = { apikey, "content-type": "application/json", prefer: "return=minimal" };
    const signedIn = await fetch(`${processes.urls[0]}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers,
      body: JSON.stringify(STAFF),
    });
    const { access_token: token }: { access_token: string } = await signedIn.json();
    const blog = async (index: number): Promise<string> => (await fetch(`${processes.urls[index % 3]}/blog`)).text();
    const seconds: number[] = [];
    const stale: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const title = `Seen by all ${round}`;
      for (const index of [0, 1, 2]) await blog(index);
      const started = performance.now();
      const written = await fetch(`${processes.urls[round % 3]}/rest/v1/blog_posts`, {
        method: "POST",
        headers: { ...headers, authorization: `Bearer ${token}` },
        body: JSON.stringify({ title, slug: `seen-by-all-${round}`, content: "Text", author: "Staff" }),
      });
      expect([written.status, await written.text()]).toEqual([201, ""]);
      seconds.push(performance.now() - started);
      const pages = await Promise.all([0, 1, 2].map(blog));
      for (const [index, page] of pages.entries()) if (!page.includes(title)) stale.push(`process ${index} after a write on ${round % 3}`);
    }
    expect(stale).toEqual([]);
    seconds.sort((a, b) => a - b);
    const [middle, longest] = [seconds[ROUNDS / 2] ?? 0, seconds.at(-1) ?? 0].map(Math.round);
    process.stdout.write(`a post is stored in ${middle} ms (median), ${longest} ms at the longest; then all three processes show it\n`);
  });

  test("the processes share a rate limit", async () => {
    const headers = { apikey: processes.publishableKey, "content-type": "application/json", "x-forwarded-for": "203.0.113.9, 127.0.0.1" };
    const statuses: number[] = [];
    for (let request = 0; request < 36; request += 1) {
      const url = `${processes.urls[request % 3]}/auth/v1/recover`;
      statuses.push((await fetch(url, { method: "POST", headers, body: "{}" })).status);
    }
    expect(statuses.filter((status) => status !== 429)).toHaveLength(30);
  });

  test("the nightly backup is made once", async () => {
    // The first one is due a minute after the start of a process. One that is interrupted is repeated after three hours.
    await expect
      .poll(() => sql("select count(*)::integer from private.backup_checks where ended_at is not null and problem is null"), {
        timeout: 150_000,
      })
      .toEqual([{ count: 1 }]);
    for (const index of [0, 1, 2]) expect(processes.output(index)).not.toContain("a scheduled job failed");
  });

  test.each(PROXIES)("a rolling restart behind %s loses no request", async (name) => {
    const result = await loadDuring(name, 60, async () => {
      for (const index of [0, 1, 2]) {
        expect(await processes.end(index, "SIGTERM")).toBe(0);
        await processes.start(index);
        // Caddy asks every five seconds whether a process is ready.
        await delay(6000);
      }
    });
    printLoad(`rolling restart behind ${name}`, result);
    expect({ reads: result.reads.failed, writes: result.writes.failed }).toEqual({ reads: {}, writes: {} });
  });

  test.each(PROXIES)("the kill of a process behind %s loses no read and no acknowledged write", async (name) => {
    const result = await loadDuring(name, 20, async () => {
      await processes.end(1, "SIGKILL");
      await delay(5000);
      await processes.start(1);
    });
    printLoad(`kill behind ${name}`, result);
    expect(result.reads.failed).toEqual({});
  });
});
