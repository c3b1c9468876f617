import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { Database, Transaction } from "./database.ts";
import { locateFailure, MigrationError } from "./migration-error.ts";
import { type MigrationFile, readMigrations, readSeeds, type SqlFile } from "./migration-files.ts";
import { checkPrivileges, ensureRoles } from "./roles.ts";

export interface MigrateOptions {
  supabaseDir: string;
  config: Config;
  log: Logger;
}

// An advisory lock: one process at a time migrates a database.
const LOCK = 4_207_849_484_211;

// The same table as the Supabase CLI's.
const RECORDS = `
  create schema if not exists supabase_migrations;
  create table if not exists supabase_migrations.schema_migrations (version text not null primary key, statements text[], name text);
  create table if not exists supabase_migrations.seed_files (path text not null primary key, hash text not null);
`;

/** The migrations that a database has, by their versions. */
export interface MigrationVersions {
  platform: readonly string[];
  project: readonly string[];
}

/**
 * Applies exactly these migrations to an empty database, without seeds, so that the rows of a database that had them fit. Fails with
 * a `MigrationError` of the code `migration_unknown` if this version of the program does not have one of them.
 */
export async function migrateTo(
  database: Database,
  { platform, project }: MigrationVersions,
  { supabaseDir, log }: Pick<MigrateOptions, "supabaseDir" | "log">,
): Promise<void> {
  await migratePlatform(database, log, platform);
  await database.transaction((tx) => locked(tx, () => tx.script(RECORDS)));
  await migrateProject(database, join(supabaseDir, "migrations"), log, project);
}

/**
 * Brings a database up to date: the platform's own migrations, then the project's, then new seeds. Each file is
 * applied once, in its own transaction, as the connection's role. Fails with a `MigrationError`.
 */
export async function migrate(database: Database, options: MigrateOptions): Promise<void> {
  const { supabaseDir, config, log } = options;
  await migratePlatform(database, log);
  await database.transaction((tx) => locked(tx, () => tx.script(RECORDS)));
  await migrateProject(database, join(supabaseDir, "migrations"), log);
  if (config.db.seed.enabled) await seed(database, supabaseDir, config.db.seed.sql_paths, log);
}

/**
 * Ensures the roles and applies the platform's own migrations, or those with these versions: the schemas and functions a hosted
 * project has from the start.
 */
export async function migratePlatform(database: Database, log: Logger, versions?: readonly string[]): Promise<void> {
  await ensureRoles(database);
  await database.transaction((tx) =>
    locked(tx, () =>
      tx.script("create schema if not exists auth; create table if not exists auth.schema_migrations (version text primary key)"),
    ),
  );
  const files = await readMigrations(fileURLToPath(new URL("../../migrations", import.meta.url)));
  await applyNew(database, withVersions(files, versions), log, {
    async readApplied(tx) {
      const applied = new Set((await tx.query("select version from auth.schema_migrations")).map(({ version }) => version));
      return (file) => applied.has(file.version);
    },
    record: (tx, file) => tx.query("insert into auth.schema_migrations (version) values ($1)", [file.version]),
  });
  await checkPrivileges(database);
}

async function migrateProject(database: Database, directory: string, log: Logger, versions?: readonly string[]): Promise<void> {
  const files = withVersions(await readMigrations(directory), versions);
  await applyNew(database, files, log, {
    announce: true,
    async readApplied(tx) {
      const records = await readRecords(tx);
      return (file) => isRecorded(file, records);
    },
    record: (tx, file) =>
      tx.query("insert into supabase_migrations.schema_migrations (version, statements, name) values ($1, array[$2], $3)", [
        file.version,
        file.text,
        file.name,
      ]),
  });
  const known = new Set(files.map(({ version }) => version));
  const applied = await database.transaction(
    (tx) => tx.query("select version from supabase_migrations.schema_migrations order by version"),
    {
      readOnly: true,
    },
  );
  const unknown = applied.flatMap(({ version }) => (known.has(String(version)) ? [] : [version]));
  if (unknown.length > 0) log.warn({ versions: unknown }, "the database has migrations of a newer version of the project");
}

function withVersions(files: MigrationFile[], versions: readonly string[] | undefined): MigrationFile[] {
  if (versions === undefined) return files;
  const wanted = new Set(versions);
  const found = files.filter(({ version }) => wanted.has(version));
  const missing = wanted.difference(new Set(found.map(({ version }) => version)));
  if (missing.size === 0) return found;
  throw new MigrationError("this version of the program does not have this migration", {
    file: [...missing].join(", "),
    code: "migration_unknown",
  });
}

async function seed(database: Database, supabaseDir: string, patterns: readonly string[], log: Logger): Promise<void> {
  await applyNew(database, await readSeeds(supabaseDir, patterns), log, {
    announce: true,
    async readApplied(tx) {
      const paths = new Set((await tx.query("select path from supabase_migrations.seed_files")).map(({ path }) => path));
      return (file) => paths.has(file.name);
    },
    record: (tx, file) => tx.query("insert into supabase_migrations.seed_files (path, hash) values ($1, $2)", [file.name, file.hash]),
  });
}

interface Bookkeeping<F> {
  /** True to have other processes reload their schema cache. */
  announce?: boolean;
  /** Reads which files are applied; the returned function throws a `MigrationError` for a file that cannot be. */
  readApplied(tx: Transaction): Promise<(file: F) => boolean>;
  record(tx: Transaction, file: F): Promise<unknown>;
}

/** Applies the files that are not applied yet. One transaction without the lock finds that there are none. */
async function applyNew<F extends SqlFile>(
  database: Database,
  files: readonly F[],
  log: Logger,
  bookkeeping: Bookkeeping<F>,
): Promise<void> {
  const isApplied = await database.transaction((tx) => bookkeeping.readApplied(tx), { readOnly: true });
  for (const file of files) if (!isApplied(file)) await applyOnce(database, file, log, bookkeeping);
}

async function applyOnce<F extends SqlFile>(
  database: Database,
  file: F,
  log: Logger,
  { announce = false, readApplied, record }: Bookkeeping<F>,
): Promise<void> {
  const started = performance.now();
  const applied = await database
    .transaction((tx) =>
      locked(tx, async () => {
        // Another process may have applied it in the meantime.
        const isApplied = await readApplied(tx);
        if (isApplied(file)) return false;
        const before = await transactionId(tx);
        await tx.script(file.text);
        // The settings of a script must not affect later users of the connection.
        await tx.script("reset all; reset role");
        if ((await transactionId(tx)) !== before) {
          throw new MigrationError("it ends its transaction; leave out COMMIT and ROLLBACK", {
            file: file.path,
            code: "migration_ends_transaction",
          });
        }
        await record(tx, file);
        if (announce) await tx.query("select auth.announce('pgrst', 'reload schema')");
        return true;
      }),
    )
    .catch((error: unknown) => {
      throw locateFailure(error, file.path, file.text);
    });
  if (applied) log.info({ file: file.path, ms: Math.round(performance.now() - started) }, "applied");
}

async function locked<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  await tx.query("select pg_advisory_xact_lock($1)", [LOCK]);
  return work();
}

async function transactionId(tx: Transaction): Promise<unknown> {
  const [row] = await tx.query("select pg_current_xact_id()::text as id");
  return row?.id;
}

interface MigrationRecord extends Record<string, unknown> {
  version: string;
  statements: string[] | null;
}

function readRecords(tx: Transaction): Promise<MigrationRecord[]> {
  return tx.query<MigrationRecord>("select version, statements from supabase_migrations.schema_migrations order by version");
}

function isRecorded(file: MigrationFile, records: readonly MigrationRecord[]): boolean {
  const record = records.find(({ version }) => version === file.version);
  if (!record) {
    const last = records.at(-1);
    if (last === undefined || last.version < file.version) return false;
    throw new MigrationError(`it comes before ${last.version}, which is applied already`, {
      file: file.path,
      code: "migration_out_of_order",
    });
  }
  // The CLI records a file split into statements, without the text between them.
  if (record.statements === null || essence(record.statements.join("")) === essence(file.text)) return true;
  throw new MigrationError("it was changed after it was applied: restore the file as it was, and make the change in a new migration", {
    file: file.path,
    code: "migration_changed",
  });
}

function essence(sql: string): string {
  return sql.replaceAll(/[\s;]/g, "");
}
