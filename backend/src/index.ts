import { join } from "node:path";
import type { Logger } from "pino";
import { createDatabaseBudget } from "./anonymous/database-budget.ts";
import { createApp } from "./app.ts";
import { createAuth, type AuthOptions } from "./auth/index.ts";
import { createSnapshots } from "./backup/snapshots.ts";
import { createUpgradeCopy, type UpgradeCopyOptions } from "./backup/upgrade-copy.ts";
import { readConfig } from "./config/config.ts";
import { announcementsJob } from "./db/announcements.ts";
import { claimJob } from "./db/claim-job.ts";
import type { Database } from "./db/database.ts";
import { removeCopyJob } from "./db/migrate/keep-copy.ts";
import { migrate } from "./db/migrate/migrate.ts";
import { readMigrations } from "./db/migrate/migration-files.ts";
import { extensionsNamed } from "./db/pglite/extensions.ts";
import { openPglite } from "./db/pglite/pglite.ts";
import { openPostgres } from "./db/postgres/postgres.ts";
import { withReserve } from "./db/with-reserve.ts";
import { IN_PROCESS, type Connection } from "./connection.ts";
import { createFunctions, type FunctionsOptions } from "./functions/index.ts";
import { createIdentify, createResolveCredential, type ApiKeys } from "./identity.ts";
import type { Job } from "./jobs.ts";
import { CLOCK_SKEW_SECONDS, createJwtKeys, type SigningKey } from "./jwt/jwt.ts";
import { realtimeCleanUpJob } from "./realtime/database/messages.ts";
import { realtimeOnDemand, type WebSockets } from "./realtime/on-demand.ts";
import { createRest } from "./rest/index.ts";
import { createStorage } from "./storage/index.ts";
import { openStorageBackends, type StorageBackendOptions } from "./storage/backends.ts";

export { clientNetwork } from "./client-network.ts";
export { IN_PROCESS, type Connection } from "./connection.ts";
export { type DiskSpace, diskSpace } from "./disk-space.ts";
export { secureFile } from "./file-headers.ts";
export { hookSecrets } from "./config/auth-phone.ts";
export { ConfigError } from "./config/error.ts";
export { DataDirectoryError } from "./db/pglite/data-directory.ts";
export { DatabaseError, type Database, type Transaction } from "./db/database.ts";
export { urlsOfHosts } from "./db/postgres/url.ts";
export { UpgradeError } from "./db/migrate/upgrade-error.ts";
export { MigrationError } from "./db/migrate/migration-error.ts";
export type { FunctionModule } from "./functions/index.ts";
export { HOUR_MS, type Job } from "./jobs.ts";
export { generateSigningKey } from "./jwt/jwt.ts";
export { logRoute } from "./log-route.ts";
export type { WebSockets } from "./realtime/on-demand.ts";
export type { StorageBackendOptions } from "./storage/backends.ts";

const CHANGES = "table_changes";

/** API keys and signing keys of a project. */
export interface Secrets extends ApiKeys {
  jwtSecret: string;
  /** Private ES256 or RS256 JWKs, newest first. */
  signingKeys: readonly SigningKey[];
}

export interface BackendOptions {
  /** The directory the Supabase CLI would work on: config.toml, migrations, seed.sql, functions. */
  supabaseDir: string;
  /** Opens the database; it is closed with the backend. */
  database: Database;
  secrets: Secrets;
  /** The public address of the backend, without a trailing slash; the issuer of its tokens. */
  url: string;
  /** Mail and text message services; those of config.toml by default. */
  mail?: AuthOptions["mail"];
  smsHook?: AuthOptions["smsHook"];
  passwordCost?: AuthOptions["passwordCost"];
  /** The storage of uploaded files; a temporary directory by default. */
  storage?: StorageBackendOptions;
  /** The directory of the copies that backups make of the embedded database; without one there are none. */
  snapshots?: string;
  /** The version of the program; the message about a failed upgrade names it. */
  program?: string;
  /** The copy of the database that an upgrade makes first; without it there is none. */
  upgradeCopy?: UpgradeCopyOptions;
  /** Imports the module of an edge function by its path; by default with Node. */
  importFunction?: FunctionsOptions["importFile"];
  log: Logger;
}

export interface Backend {
  /** Answers a request below /auth/v1, /rest/v1, /storage/v1, /functions/v1, /realtime/v1 or /operations/v1. */
  fetch(request: Request, connection?: Connection): Promise<Response>;
  /** Accepts the WebSockets of /realtime/v1; undefined if the project has no realtime API. */
  webSockets: WebSockets | undefined;
  /**
   * Calls `handler` with `schema.table` after a committed change to a table that announces its changes, and with null
   * when changes may have been missed.
   */
  onChange(handler: (table: string | null) => void): Promise<() => Promise<void>>;
  /** As in `Database`; absent if no other process can write to it. */
  isCaughtUp: Database["isCaughtUp"];
  catchUp: Database["catchUp"];
  /** Tasks to run regularly, while the backend is open. */
  jobs: readonly Job[];
  /** Claims the next run of a job for this process; false if another process has run it within its interval. */
  claimJob(job: Job): Promise<boolean>;
  /** True if the storage of uploaded files answers and belongs to a database; fails if it cannot be reached. */
  isStorageTied(): Promise<boolean>;
  /** The number of transactions that wait for a connection to the database. */
  databaseQueue(): number;
  /** Makes the token of a one-time set-up link, or null once there is an account. */
  createSetupToken(): Promise<string | null>;
  /** Creates the first account; false when there is one already. */
  createFirstAccount(account: { email: string; password: string }): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens the database an environment asks for: the Postgres of `databaseUrl`, else PGlite in `dataDir`. */
export async function openDatabase(options: {
  dataDir: string;
  databaseUrl: string | undefined;
  /** The most connections to the Postgres of `databaseUrl` for transactions. */
  poolSize?: number | undefined;
  /** The project whose migrations the database is for: it can have the extensions they name. */
  supabaseDir?: string;
  log: Logger;
}): Promise<Database> {
  const { dataDir, databaseUrl, poolSize, supabaseDir, log } = options;
  if (databaseUrl !== undefined) return openPostgres({ url: databaseUrl, poolSize, log });
  const migrations = supabaseDir === undefined ? [] : await readMigrations(join(supabaseDir, "migrations"));
  return openPglite({ dataDir: `${dataDir}/database`, extensions: extensionsNamed(migrations), log });
}

/** Migrates the database and creates the backend on it. Fails with a `ConfigError`, a `MigrationError`, an `UpgradeError` or a `DatabaseError`. */
export async function createBackend(options: BackendOptions): Promise<Backend> {
  const { supabaseDir, database, secrets, url, log, mail = {}, smsHook, passwordCost } = options;
  const config = await readConfig(supabaseDir, { log });
  // A full disk must not prevent a start or a sign-in.
  const essential = withReserve(database);
  const { program, upgradeCopy } = options;
  const copy = upgradeCopy && createUpgradeCopy(upgradeCopy, database, program ?? "unknown");
  await migrate(essential, { supabaseDir, config, program, copy, log });

  const jwt = await createJwtKeys([...(config.auth.signing_keys ?? []), ...secrets.signingKeys], secrets.jwtSecret);
  const identify = createIdentify(secrets, jwt);

  const budget = createDatabaseBudget();
  const rest = createRest({ database, identify: createIdentify(secrets, jwt, CLOCK_SKEW_SECONDS), config, budget, log });
  const storage = config.storage.enabled
    ? await createStorage({ database, ...(await openStorageBackends(options.storage, log)), jwt, identify, config, log })
    : undefined;
  // After all that can fail: it has a timer, which only `close` ends.
  const auth = createAuth({ database: essential, jwt, identify, config, siteUrl: url, log, mail, smsHook, passwordCost });
  const resolve = createResolveCredential(secrets, jwt);
  const realtime = config.realtime.enabled ? realtimeOnDemand({ database, resolve, identify, config, budget, log }) : undefined;
  const functions = createFunctions({
    supabaseDir,
    config,
    identify,
    keys: secrets,
    url,
    fetch: (input, init) => app.fetch(new Request(input, init), IN_PROCESS),
    importFile: options.importFunction,
    log,
  });
  const apis = { "/auth/v1": auth, "/rest/v1": rest, "/functions/v1": functions };
  const { snapshots: directory } = options;
  const snapshots = directory === undefined ? undefined : createSnapshots({ database, directory, identify });
  const optional = {
    ...(snapshots && { "/operations/v1": snapshots }),
    ...(storage && { "/storage/v1": storage }),
    ...(realtime && { "/realtime/v1": realtime }),
  };
  const app = createApp({ ...apis, ...optional }, log);

  return {
    fetch: (request, connection = IN_PROCESS) => app.fetch(request, connection),
    webSockets: realtime?.webSockets,
    onChange: (handler) => database.listen(CHANGES, (table) => handler(table === "" ? null : table), { everywhere: true }),
    isCaughtUp: database.isCaughtUp,
    catchUp: database.catchUp,
    jobs: [
      ...(database.jobs ?? []),
      announcementsJob(database),
      ...auth.jobs,
      ...(storage?.jobs ?? []),
      ...(realtime ? [realtimeCleanUpJob(database)] : []),
      ...(snapshots ? [snapshots.job] : []),
      ...(upgradeCopy === undefined ? [] : [removeCopyJob(upgradeCopy.directory)]),
    ],
    claimJob: (job) => claimJob(essential, job),
    isStorageTied: () => storage?.hasDatabaseId() ?? Promise.resolve(true),
    databaseQueue: database.waiting,
    createSetupToken: auth.createSetupToken,
    createFirstAccount: auth.ensureStaff,
    async close() {
      await realtime?.close();
      await auth.close();
      await storage?.close();
      await database.close();
    },
  };
}
