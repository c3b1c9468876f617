import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  createBackend,
  type Database,
  DatabaseError,
  DataDirectoryError,
  HOUR_MS,
  openDatabase,
  type Backend,
  type BackendOptions,
  type Job,
} from "backend";
import { mailSender } from "content/mail-sender.ts";
import type { Logger } from "pino";
import packageJson from "../package.json" with { type: "json" };
import { checkDataDirectory, checkSecretsOf, writeNotice } from "./machine/data-directory.ts";
import type { BackendEnvironment } from "./environment/environment.ts";
import { healthChecks } from "./http/health-checks.ts";
import type { Check } from "./http/health.ts";
import { importFunction } from "./import-function.ts";
import { readOrCreateSecrets } from "./environment/secrets.ts";
import { nightlyBackup } from "./nightly-backup.ts";
import { storageOptions } from "./environment/storage.ts";
import { StartError } from "./start-error.ts";

export interface RunningBackend extends Backend {
  publishableKey: string;
  checks: readonly Check[];
  /** Reads the figures of the project for `/metrics`; undefined if it has none. */
  figures: () => Promise<unknown>;
}

interface StartOptions {
  /** The public address of the process, without a trailing slash. */
  url: string;
  /** The port on which the process listens; without one it makes no backups. */
  port?: number;
  log: Logger;
}

/** Starts the backend that the environment describes, with its first staff account or the link that creates one. */
export async function startBackend(env: BackendEnvironment, { url, port, log }: StartOptions): Promise<RunningBackend> {
  checkDataDirectory(env);
  // Before the embedded database exists: a start that is interrupted between the two must not look like lost secrets.
  if (env.DATABASE_URL === undefined) await readOrCreateSecrets(env);
  const database = await open(env, log);
  let opened: Pick<Database, "close"> = database;
  try {
    warnOfUnusedDatabase(env, log);
    if (env.DATABASE_URL !== undefined) await checkSecretsOf(database, env);
    const secrets = await readOrCreateSecrets(env);
    writeNotice(env.DATA_DIR);
    const storage = { ...storageOptions(env), sweepMode: env.STORAGE_SWEEP };
    const backend = await createBackend({
      supabaseDir: env.SUPABASE_DIR,
      database,
      secrets,
      url,
      storage,
      snapshots: join(env.DATA_DIR, "snapshots"),
      program: packageJson.version,
      upgradeCopy: { directory: join(env.DATA_DIR, "before-upgrade"), connect: () => open({ ...env, DATABASE_POOL_SIZE: 1 }, log) },
      importFunction,
      log,
      ...messengers(env),
    });
    opened = backend;
    await prepareFirstAccount(backend, env, url);
    const callService = serviceCaller(backend, secrets.secretKey, url);
    const nightly = env.BACKUP_DIR === undefined || port === undefined ? undefined : nightlyBackup({ env, port, callService, log });
    return {
      ...backend,
      jobs: [...backend.jobs, retentionJob(callService), holdsJob(callService), ...(nightly ? [nightly.job] : [])],
      checks: healthChecks(backend, env, callService),
      figures: () => callService("figures", {}),
      publishableKey: secrets.publishableKey,
      close() {
        nightly?.stop();
        return backend.close();
      },
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function open(env: BackendEnvironment, log: Logger): Promise<Database> {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: poolSize, SUPABASE_DIR: supabaseDir } = env;
  try {
    return await openDatabase({ dataDir, databaseUrl, poolSize, supabaseDir, log });
  } catch (error) {
    if (databaseUrl !== undefined || error instanceof DataDirectoryError || error instanceof DatabaseError) throw error;
    const reason = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
    const directory = join(dataDir, "database");
    throw new StartError(`${directory} cannot be opened, it may be damaged: restore it from a backup (${reason}).`, { cause: error });
  }
}

/** Warns that DATABASE_URL replaces the embedded database of this data directory without moving its data. */
function warnOfUnusedDatabase(env: BackendEnvironment, log: Logger): void {
  const embedded = join(env.DATA_DIR, "database");
  if (env.DATABASE_URL === undefined || !existsSync(embedded)) return;
  log.warn(
    `DATABASE_URL is set, so the embedded database in ${embedded} is not used: its accounts, bookings and list of files are not moved. ` +
      "Unset DATABASE_URL to use it again; remove the directory once its data are moved.",
  );
}

const MINUTE_MS = 60_000;

type CallService = (name: string, values: object) => Promise<unknown>;

/** Returns a function that calls a function of the project's database; the result is undefined if the project has none of that name. */
function serviceCaller(backend: Backend, secretKey: string, url: string): CallService {
  const headers = { apikey: secretKey, "Content-Type": "application/json" };
  return async (name, values) => {
    const body = JSON.stringify(values);
    const response = await backend.fetch(new Request(`${url}/rest/v1/rpc/${name}`, { method: "POST", headers, body }));
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`${name} failed with status ${response.status}`);
    return response.status === 204 ? null : response.json();
  };
}

/** Deletes data past their retention period; a project without the function `apply_retention` has no such periods. */
function retentionJob(callService: CallService): Job {
  return { name: "retention", intervalMs: HOUR_MS, run: async () => void (await callService("apply_retention", {})) };
}

/** Releases held places whose time is over; a project without the function `release_holds` holds none. */
function holdsJob(callService: CallService): Job {
  return { name: "holds", intervalMs: MINUTE_MS, run: async () => void (await callService("release_holds", {})) };
}

/** The services that send mail and text messages. */
function messengers(env: BackendEnvironment): Pick<BackendOptions, "mail" | "smsHook"> {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from, SMS_HOOK_URL: url, SMS_HOOK_SECRET: secrets } = env;
  // A mail server of config.toml has its own sender there.
  const mailFrom = smtpUrl === undefined && from === undefined ? undefined : mailSender(from);
  return { mail: { smtpUrl, mailFrom }, smsHook: url === undefined || secrets === undefined ? undefined : { url, secrets } };
}

async function prepareFirstAccount(backend: Backend, env: BackendEnvironment, url: string): Promise<void> {
  const { STAFF_EMAIL: email, STAFF_PASSWORD: password } = env;
  if (email !== undefined && password !== undefined) {
    await backend.createFirstAccount({ email, password });
    return;
  }
  const token = await backend.createSetupToken();
  // On the terminal and not in the log: this link gives access to the first account.
  if (token !== null)
    console.log(`\nNo staff account yet. Open this link within an hour to create the first one:\n  ${url}/admin/set-up#${token}\n`);
}
