import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { appendFile, chmod, chown, copyFile, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "./free-port.ts";
import { findPostgres, type PostgresBinaries } from "./postgres-binaries.ts";
import { TEMPORARY_FILES } from "./temporary-files.ts";

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
}

/** Starts a PostgreSQL server, or returns null if none can run on this machine. */
export async function startPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer | null> {
  const programs = await mkdtemp(join(tmpdir(), "larkfell-postgres-"));
  const directory = await mkdtemp(join(options.durable ? tmpdir() : TEMPORARY_FILES, "larkfell-postgres-data-"));
  const removeFiles = (): void => {
    for (const path of [programs, directory]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  };
  const binaries = await findPostgres(programs);
  if (!binaries) {
    removeFiles();
    return null;
  }
  const user = await unprivilegedUser();
  const data = join(directory, "data");
  await mkdir(data, { mode: 0o700 });
  if (user) for (const path of [programs, directory, data]) await chown(path, user.uid, user.gid);
  const { standbyOf } = options;
  if (standbyOf) {
    const primary = new URL(standbyOf.url("postgres"));
    await promisify(execFile)("cp", ["-R", `${standbyOf.data}/.`, data], { ...user, cwd: directory });
    await appendFile(join(data, "postgresql.auto.conf"), `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=postgres'\n`);
    await writeFile(join(data, "standby.signal"), "");
  } else await promisify(execFile)(binaries.initdb, initdbArguments(binaries, data), { ...user, cwd: directory });

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
    const child = spawn(binaries?.postgres ?? "", serverArguments(data, port, options), {
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

// The server refuses to run as root, so tests that run as root start it as an unprivileged user.
async function unprivilegedUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const entry = (await readFile("/etc/passwd", "utf8")).split("\n").find((line) => line.startsWith("nobody:"));
  const [, , uid, gid] = entry?.split(":") ?? [];
  if (uid === undefined || gid === undefined) throw new Error("The tests run as root, and there is no user nobody to run PostgreSQL as.");
  return { uid: Number(uid), gid: Number(gid) };
}

function initdbArguments({ major }: PostgresBinaries, data: string): string[] {
  // The collation of the embedded database, so that both sort alike; available on every platform since version 17.
  const locale = major >= 17 ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"] : ["--locale=C"];
  return ["-D", data, "-U", "postgres", "-E", "UTF8", "--auth=trust", "--no-sync", "--no-instructions", ...locale];
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
    TimeZone: "Europe/London", // other than what the driver asks for, which must win
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
