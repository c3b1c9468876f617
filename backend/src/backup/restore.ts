import type { Logger } from "pino";
import { readDatabaseConfig } from "../config/config.ts";
import type { Database, Transaction } from "../db/database.ts";
import { migrate, migrateTo } from "../db/migrate/migrate.ts";
import { MigrationError } from "../db/migrate/migration-error.ts";
import { ensureRoles } from "../db/roles.ts";
import { readAll, readArchive } from "./archive-reader.ts";
import { BackupError } from "./error.ts";
import type { Manifest, ManifestTable } from "./manifest.ts";
import { countStep, type OnProgress } from "./progress.ts";
import { insertRows, withoutTriggers } from "./read-tables.ts";
import { listTables, quoteTable, setTextFormat, type Table } from "./tables.ts";
import { countRows, tableFolder } from "./write-tables.ts";

export interface RestoreOptions {
  file: string;
  /** The result of `checkArchive`. */
  manifest: Manifest;
  /** The database that is filled. */
  database: Database;
  /** The project whose migrations make the schema. */
  supabaseDir: string;
  /** Called before the commit, when the database is complete; its failure rolls everything back. */
  beforeCommit?: (database: Database) => Promise<void>;
  onProgress?: OnProgress | undefined;
  log: Logger;
}

/**
 * Fills an empty database from a backup in one transaction: makes the schema that the backup had, inserts the rows, compares them
 * with the sums of the manifest, and migrates forward. Fails with a `BackupError`.
 */
export async function restoreDatabase(options: RestoreOptions): Promise<void> {
  const { file, manifest, database, supabaseDir, beforeCommit, onProgress, log } = options;
  await database.transaction(checkEmpty, { readOnly: true });
  // Roles belong to the server, so they are no part of the transaction.
  await ensureRoles(database);
  const config = await readDatabaseConfig(supabaseDir);
  await database.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock($1)", [LOCK]);
    await checkEmpty(tx);
    const joined: Database = { ...database, transaction: (work) => work(tx) };
    await migrateTo(joined, manifest.migrations, { supabaseDir, log }).catch(rethrowAsNewer);
    await setTextFormat(tx);
    await fill(tx, file, manifest, onProgress);
    await migrate(joined, { supabaseDir, config, log });
    await beforeCommit?.(joined);
  });
}

// Two restores into one database run one after the other; the second finds it filled.
const LOCK = 4_207_849_484_212;

const FOUND = `select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
  where relkind in ('r', 'p') and nspname !~ '^pg_' and nspname <> 'information_schema'
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
  limit 1`;

async function checkEmpty(tx: Transaction): Promise<void> {
  const [found] = await tx.query(FOUND);
  if (found) throw new BackupError("not_empty", `The database is not empty (it has ${String(found.name)}). Restore into a new database.`);
}

async function fill(tx: Transaction, file: string, manifest: Manifest, onProgress?: OnProgress): Promise<void> {
  const tables = await listTables(tx);
  compareTables(tables, manifest.tables);
  const total = manifest.tables.reduce((sum, { rows }) => sum + rows, 0);
  const [onRestored, onCompared] = [countStep("rows_restored", total, onProgress), countStep("rows_compared", total, onProgress)];
  await withoutTriggers(tx, async () => {
    await tx.script(`truncate ${tables.map(quoteTable).join(", ")}`);
    const folders = new Map(tables.map((table) => [tableFolder(table), table]));
    for await (const { name, bytes } of readArchive(file)) {
      const table = folders.get(name.slice(0, name.lastIndexOf("/") + 1));
      if (table) onRestored(await insertRows(tx, table, await readAll(bytes)));
    }
  });
  for (const { schema, name, value, isCalled } of manifest.sequences) {
    await tx.query("select setval($1::text::regclass, $2::text::bigint, $3::text::boolean)", [
      quoteTable({ schema, name }),
      value,
      isCalled,
    ]);
  }
  for (const [index, table] of tables.entries()) {
    const expected = manifest.tables[index];
    const { rows, sha256 } = await countRows(tx, table, onCompared);
    if (rows === expected?.rows && sha256 === expected.sha256) continue;
    throw new BackupError("schema", `${quoteTable(table)} has other rows than the backup: ${rows} instead of ${expected?.rows}.`);
  }
}

/** Compares the tables that the migrations made with those of the backup. */
function compareTables(made: readonly Table[], expected: readonly ManifestTable[]): void {
  const describe = ({ schema, name, columns }: Table | ManifestTable): string[] => [
    `table ${schema}.${name}`,
    ...columns.map((column) => `column ${schema}.${name}.${column.name} ${column.type}`),
  ];
  const [here, there] = [made, expected].map((tables) => new Set(tables.flatMap(describe)));
  const differences = [...(here?.symmetricDifference(there ?? new Set()) ?? [])];
  if (differences.length === 0) return;
  throw new BackupError("schema", `The migrations do not make the schema of the backup: ${differences.join(", ")}.`);
}

function rethrowAsNewer(error: unknown): never {
  if (!(error instanceof MigrationError) || error.code !== "migration_unknown") throw error;
  throw new BackupError("newer", `The backup is of a newer version of the program: ${error.message}.`, error);
}
