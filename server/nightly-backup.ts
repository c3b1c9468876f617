import { execFile } from "node:child_process";
import { constants, setPriority } from "node:os";
import { join, resolve } from "node:path";
import { HOUR_MS, type Job } from "backend";
import type { Logger } from "pino";
import { z } from "zod";
import type { BackendEnvironment } from "./environment/environment.ts";

const TOOL = join(import.meta.dirname, "../operations/larkfell.ts");
/** Shorter than the time after which another process repeats the backup. */
const LONGEST_MS = 2.5 * HOUR_MS;
/** The database answers most calls without a write. */
const INTERVAL_MS = 5 * 60_000;

const resultSchema = z.union([z.object({ rows: z.int() }), z.object({ problem: z.string() })]);

interface NightlyBackupOptions {
  env: BackendEnvironment;
  /** The port of this process, from which the tool requests a copy of the embedded database. */
  port: number;
  /** Calls a function of the database with the rights of the service. */
  callService: (name: string, values: object) => Promise<unknown>;
  log: Logger;
}

/**
 * The job that makes and checks the backup of each night, in a process of its own: it blocks nothing, and its memory and its crash are not
 * those of the server. The database gives each night to one process.
 */
export function nightlyBackup({ env, port, callService, log }: NightlyBackupOptions): { job: Job; stop: () => void } {
  const stopped = new AbortController();

  async function run(): Promise<void> {
    const night = z
      .string()
      .nullable()
      .parse(await callService("begin_backup_check", {}));
    if (night === null) return;
    const output = await runTool(night);
    // Without a result, a later run repeats the backup.
    if (stopped.signal.aborted) return;
    const result = readResult(output);
    if ("problem" in result) log.error({ problem: result.problem, output: output.stderr }, "the nightly backup failed");
    else log.info({ rows: result.rows }, "the nightly backup is checked");
    await callService("end_backup_check", { night, row_count: null, problem: null, ...named(result) });
  }

  async function runTool(night: string): Promise<Output> {
    const { promise, resolve: end } = Promise.withResolvers<Output>();
    const child = execFile(
      process.execPath,
      [...process.execArgv, TOOL, "nightly", "--json", "--begun", "--day", night],
      // The data directory has no `.env`, from which the tool would read the other variables.
      { cwd: env.DATA_DIR, env: environmentOf(env, port), signal: stopped.signal, timeout: LONGEST_MS, killSignal: "SIGKILL" },
      (error, stdout, stderr) => end({ stdout, stderr: stderr.trim(), timedOut: error?.killed === true }),
    );
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    log.info({ pid: child.pid, night }, "the nightly backup begins");
    return promise;
  }

  return { job: { name: "nightly-backup", intervalMs: INTERVAL_MS, everyProcess: true, run }, stop: () => stopped.abort() };
}

interface Output {
  stdout: string;
  stderr: string;
  timedOut: boolean;
}

type Result = z.infer<typeof resultSchema>;

function readResult({ stdout, timedOut }: Output): Result {
  try {
    return resultSchema.parse(JSON.parse(stdout));
  } catch {
    return { problem: timedOut ? "timed_out" : "crashed" };
  }
}

function named(result: Result): object {
  return "problem" in result ? result : { row_count: result.rows };
}

/** The variables of the server that a backup needs, with absolute paths. */
function environmentOf(env: BackendEnvironment, port: number): Record<string, string> {
  const { HOST, PATH, LD_LIBRARY_PATH, TMPDIR, NODE_COMPILE_CACHE, NODE_EXTRA_CA_CERTS } = process.env;
  const { DATABASE_URL, SECRET_KEY, BACKUP_PASSPHRASE, S3_BUCKET, S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env;
  const given = {
    ...{ HOST, PATH, LD_LIBRARY_PATH, TMPDIR, NODE_EXTRA_CA_CERTS },
    // Relative to the directory of the server in `npm start`; the tool runs in the data directory.
    NODE_COMPILE_CACHE: NODE_COMPILE_CACHE && resolve(NODE_COMPILE_CACHE),
    ...{ DATABASE_URL, SECRET_KEY, BACKUP_PASSPHRASE, S3_BUCKET, S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY },
    PORT: String(port),
    DATA_DIR: resolve(env.DATA_DIR),
    SUPABASE_DIR: resolve(env.SUPABASE_DIR),
    BACKUP_DIR: env.BACKUP_DIR?.startsWith("s3://") ? env.BACKUP_DIR : resolve(env.BACKUP_DIR ?? ""),
  };
  return Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
