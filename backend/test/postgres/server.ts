import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, rmSync } from "node:fs";
import { appendFile, chmod, chown, copyFile, cp, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../free-port.ts";
import { installPostgres, type PostgresInstallation, unprivilegedUser } from "./installation.ts";
import { TEMPORARY_FILES } from "../temporary-files.ts";

const START_TIMEOUT_MS = 300_000;

/** A PostgreSQL server for tests, on a free port of the loopback interface. */
export interface PostgresServer {
  readonly version: number;
  /** The directory of the data. */
  readonly data: string;
  url(database: string): string;
  /** Restarts the server on its port and data after `stop` or `kill`. */
  start(): Promise<void>;
  /** Shuts down in fast mode, which ends connections. */
  stop(): Promise<void>;
  /** Kills all processes without a shutdown. */
  kill(): Promise<void>;
  /** Stops the server and removes its files. */
  remove(): Promise<void>;
}

export interface PostgresServerOptions {
  /** True for tests of durability: the data is on disk, and commits wait for it. */
  durable?: boolean;
  /** Files of a certificate, its key and the root of client certificates; enables TLS connections. */
  tls?: { certificate: string; key: string; root: string };
  /** First lines of pg_hba.conf. */
  admission?: string;
  /** A server that is stopped now: the new one has its data, and follows it as a standby. */
  standbyOf?: PostgresServer;
  /** The programs to run and the data to start with; by default the server installs its own. */
  installation?: PostgresInstallation;
}

/** Starts a PostgreSQL server, or returns null if none can run on this machine. */
export async function startPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer | null> {
  const own = options.installation ? null : await installPostgres();
  const installation = options.installation ?? own;
  if (!installation) return null;
  const { binaries, emptyData } = installation;
  const directory = await mkdtemp(join(options.durable ? tmpdir() : TEMPORARY_FILES, "larkfell-postgres-data-"));
  const removeFiles = (): void => {
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    own?.remove();
  };
  const user = await unprivilegedUser();
  const data = join(directory, "data");
  const { standbyOf } = options;
  await cp(standbyOf?.data ?? emptyData, data, { recursive: true });
  if (standbyOf) {
    const primary = new URL(standbyOf.url("postgres"));
    await appendFile(join(data, "postgresql.auto.conf"), `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=postgres'\n`);
    await writeFile(join(data, "standby.signal"), "");
  }
  if (user) await giveTo(user, directory);

  for (const file of Object.values(options.tls ?? {})) await install(file, join(data, basename(file)), user);
  if (options.admission !== undefined) {
    const rules = join(data, "pg_hba.conf");
    await writeFile(rules, `${options.admission}\n${await readFile(rules, "utf8")}`);
  }

  const port = await freePort();
  const url = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}?sslmode=disable`;
  let server: ChildProcess | undefined;
  // Otherwise the server would outlive a test process that exits early.
  const atExit = (): void => {
    server?.kill("SIGQUIT");
    removeFiles();
  };
  process.once("exit", atExit);

  async function start(): Promise<void> {
    const child = spawn(binaries.postgres, serverArguments(data, port, options), {
      ...user,
      cwd: directory,
      stdio: ["ignore", "ignore", "pipe"],
    });
    server = child;
    const words: string[] = [];
    child.stderr?.setEncoding("utf8").on("data", (text: string) => words.splice(0, words.length - 20, text));
    const deadline = performance.now() + START_TIMEOUT_MS;
    while (!(await answers(url("postgres")))) {
      if (child.exitCode === null && performance.now() < deadline) await delay(30);
      else throw new Error(`PostgreSQL does not start: ${words.join("")}`);
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const child = server;
    server = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  }

  await start();
  return {
    version: binaries.major,
    data,
    url,
    start,
    stop: () => end("SIGINT"),
    kill: () => end("SIGQUIT"),
    async remove() {
      await end("SIGQUIT");
      process.removeListener("exit", atExit);
      removeFiles();
    },
  };
}

async function giveTo({ uid, gid }: { uid: number; gid: number }, directory: string): Promise<void> {
  await chown(directory, uid, gid);
  for (const name of await readdir(directory, { recursive: true })) chownSync(join(directory, name), uid, gid);
}

/** Copies a file so that only the server can read it, which it requires of a key. */
async function install(source: string, target: string, owner: { uid: number; gid: number } | undefined): Promise<void> {
  await copyFile(source, target);
  await chmod(target, 0o600);
  if (owner) await chown(target, owner.uid, owner.gid);
}

function serverArguments(data: string, port: number, { durable = false, tls }: PostgresServerOptions): string[] {
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    max_connections: "100",
    TimeZone: "Europe/London", // differs from the time zone that the driver sets, which must take precedence
    ...(tls
      ? { ssl: "on", ssl_cert_file: basename(tls.certificate), ssl_key_file: basename(tls.key), ssl_ca_file: basename(tls.root) }
      : {}),
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  return ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  // A server that stops meanwhile also rejects the query.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false; // not listening yet, or still recovering
  } finally {
    await client.end().catch(() => undefined);
  }
}
