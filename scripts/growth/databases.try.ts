import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "backend/test/free-port.ts";
import { createPostgresDatabase } from "backend/test/postgres/databases.ts";
import { type PostgresServer, startPostgresServer } from "backend/test/postgres/server.ts";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { runToEnd, temporaryDirectory } from "../../e2e/support/product.ts";
import { canRunProxy, startProxy } from "../../e2e/support/proxy.ts";
import { driveLoad, type LoadResult, printLoad } from "./load.ts";
import { openMovingAddress } from "./moving-address.ts";
import { type Processes, startProcesses } from "./processes.ts";

const hasPostgres = inject("postgres") !== null;
const has = (program: string): boolean => spawnSync(program, ["--version"]).error === undefined;
const behindProxies = { SITE_URL: "https://www.example.org", TRUST_PROXY: "2", DRAIN_SECONDS: "5" };

async function countViews(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query("select coalesce(sum(count), 0)::integer as views from private.visit_counts where kind = 'page'");
    return Number(rows[0]?.views);
  } finally {
    await client.end();
  }
}

/** Drives load through nginx while `work` runs. */
async function loadDuring(processes: Processes, seconds: number, work: () => Promise<void>): Promise<LoadResult> {
  await using proxy = await startProxy("nginx", processes.urls);
  const rates = { readsPerSecond: 30, writesPerSecond: 10 };
  const driven = driveLoad({ port: proxy.https, ca: proxy.ca, key: processes.publishableKey, seconds, ...rates });
  await work();
  return await driven;
}

function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/health/ready`).then(({ ok }) => ok);
}

test.skipIf(!hasPostgres || !has("pgbouncer") || !canRunProxy("nginx"))(
  "two processes behind PgBouncer in transaction mode lose no request",
  async () => {
    await using cleanup = new AsyncDisposableStack();
    const direct = await createPostgresDatabase(inject("postgres")?.url ?? "", "behind_pgbouncer");
    const directory = cleanup.adopt(await mkdtemp(join(tmpdir(), "larkfell-pgbouncer-")), (path) => rm(path, { recursive: true }));
    await chmod(directory, 0o755);
    const port = await freePort();
    const file = join(directory, "pgbouncer.ini");
    const settings = [
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = any",
      "pool_mode = transaction",
    ];
    const databases = ["[databases]", `behind_pgbouncer = host=127.0.0.1 port=${new URL(direct).port} user=postgres`];
    await writeFile(file, [...databases, "[pgbouncer]", ...settings, "default_pool_size = 5", "max_client_conn = 100"].join("\n"));
    // PgBouncer does not run as root.
    const child = spawn("pgbouncer", [...(process.getuid?.() === 0 ? ["--user", "nobody"] : []), "--quiet", file], { stdio: "inherit" });
    cleanup.defer(async () => {
      child.kill("SIGTERM");
      await once(child, "close");
    });
    const pooled = new URL(direct);
    pooled.port = String(port);
    await expect.poll(() => countConnections(pooled.href)).toBe(1);
    const processes = cleanup.use(await startProcesses(2, { DATABASE_URL: pooled.href, ...behindProxies }));
    const result = await loadDuring(processes, 20, () => Promise.resolve());
    printLoad("PgBouncer", result);
    expect({ reads: result.reads.failed, writes: result.writes.failed }).toEqual({ reads: {}, writes: {} });
    expect(await countViews(direct)).toBe(result.writes.succeeded);
    for (const index of [0, 1]) expect(processes.output(index)).not.toMatch(/"level":(50|60)/);
  },
);

async function countConnections(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select 1");
    return 1;
  } catch {
    return 0; // not listening yet
  } finally {
    await client.end().catch(() => undefined);
  }
}

test.skipIf(!hasPostgres || !has("openssl"))(
  "the product runs on a Postgres that accepts TLS only, and checks its name and certificate",
  async () => {
    await using cleanup = new AsyncDisposableStack();
    const directory = cleanup.adopt(await mkdtemp(join(tmpdir(), "larkfell-tls-")), (path) => rm(path, { recursive: true }));
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
    for (const name of ["server", "stranger"])
      execFileSync("openssl", [...`req -x509 -newkey rsa:2048 -nodes -keyout ${name}.key -out ${name}.pem`.split(" "), ...subject], {
        cwd: directory,
        stdio: "ignore",
      });
    const file = (name: string): string => join(directory, name);
    const server = await started({
      tls: { certificate: file("server.pem"), key: file("server.key"), root: file("server.pem") },
      admission: "hostnossl larkfell all 127.0.0.1/32 reject",
    });
    cleanup.defer(server.remove);
    const url = new URL(await createPostgresDatabase(server.url("postgres"), "larkfell"));
    url.hostname = "localhost";
    const address = (query: string): string => Object.assign(new URL(url), { search: query }).href;
    const verified = (root: string): string => address(`sslmode=verify-full&sslrootcert=${file(root)}`);
    const dataDir = cleanup.use(await temporaryDirectory());
    for (const [refused, reason] of [
      [verified("stranger.pem"), "self-signed certificate"],
      [address("sslmode=disable"), "pg_hba.conf"],
    ] as const) {
      const { code, output } = await runToEnd("server/build/site.js", { DATABASE_URL: refused, DATA_DIR: dataDir.path, PORT: "0" });
      expect([code, output]).toEqual([1, expect.stringContaining(reason)]);
    }
    const processes = cleanup.use(await startProcesses(1, { DATABASE_URL: verified("server.pem") }));
    const client = new pg.Client({ connectionString: server.url("postgres") });
    await client.connect();
    cleanup.defer(() => client.end());
    const connections = "select bool_and(ssl) as encrypted from pg_stat_ssl join pg_stat_activity using (pid) where datname = 'larkfell'";
    expect((await client.query(connections)).rows).toEqual([{ encrypted: true }]);
    expect((await fetch(`${processes.urls[0]}/courses`)).status).toBe(200);
  },
);

async function started(options: Parameters<typeof startPostgresServer>[0]): Promise<PostgresServer> {
  const server = await startPostgresServer(options);
  if (!server) throw new Error("PostgreSQL does not run here.");
  return server;
}

test.skipIf(!hasPostgres || !canRunProxy("nginx"))(
  "processes go on after the promotion of a standby under load, and no acknowledged write is lost",
  async () => {
    await using cleanup = new AsyncDisposableStack();
    const primary = await started({ durable: true });
    cleanup.defer(primary.remove);
    const direct = await createPostgresDatabase(primary.url("postgres"), "larkfell");
    await primary.stop();
    const standby = await started({ durable: true, standbyOf: primary });
    cleanup.defer(standby.remove);
    await primary.start();
    const administer = async (server: PostgresServer, text: string): Promise<unknown> => {
      const client = new pg.Client({ connectionString: server.url("postgres") });
      await client.connect();
      try {
        return (await client.query(text)).rows;
      } finally {
        await client.end();
      }
    };
    // A commit is acknowledged once the standby has it.
    await administer(primary, "alter system set synchronous_standby_names = '*'");
    await administer(primary, "select pg_reload_conf()");
    await expect.poll(() => administer(primary, "select sync_state from pg_stat_replication")).toEqual([{ sync_state: "sync" }]);

    const address = cleanup.use(await openMovingAddress(Number(new URL(direct).port)));
    const moving = new URL(direct);
    moving.port = String(address.port);
    const processes = cleanup.use(await startProcesses(2, { DATABASE_URL: moving.href, ...behindProxies }));
    let failed = 0;
    let recovered = 0;
    const result = await loadDuring(processes, 40, async () => {
      await delay(10_000);
      await primary.kill();
      failed = performance.now();
      // The address may lead to the standby before it is the primary: rows can be read, and the processes are not ready.
      address.moveTo(Number(new URL(standby.url("larkfell")).port));
      await expect.poll(async () => Promise.all(processes.urls.map(isReady))).toEqual([false, false]);
      await delay(3000);
      await administer(standby, "select pg_promote()");
      // The new primary has no standby.
      await administer(standby, "alter system reset synchronous_standby_names");
      await administer(standby, "select pg_reload_conf()");
      await expect.poll(async () => Promise.all(processes.urls.map(isReady)), { interval: 50 }).toEqual([true, true]);
      recovered = performance.now();
    });
    printLoad("promotion", result);
    process.stdout.write(
      `ready again ${((recovered - failed) / 1000).toFixed(1)} s after the primary ended, 3 s of them before the promotion\n`,
    );
    const stored = await countViews(standby.url("larkfell"));
    expect(stored).toBeGreaterThanOrEqual(result.writes.succeeded);
    expect(stored).toBeLessThanOrEqual(result.writes.sent);
    expect((await fetch(`${processes.urls[0]}/`)).status).toBe(200);
  },
);
