import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Transaction } from "../database.ts";
import { MigrationError } from "./migration-error.ts";
import { type MigrationFile, readMigrations, readSeeds, type SqlFile } from "./migration-files.ts";

/** A file that a database does not have yet. */
interface PendingFile extends SqlFile {
  /** Records the file as applied. */
  record(tx: Transaction): Promise<unknown>;
}

/** Files that are applied in their order, each once, and the table that records them. */
export interface MigrationSet {
  table: string;
  /** Creates the table if it is missing. */
  prepare: string;
  /** Reads which files are not applied, from the existing table. Fails with a `MigrationError` for a file that cannot be. */
  readPending(tx: Transaction): Promise<PendingFile[]>;
  /** Lists the applied versions that no file has. */
  readUnknown(tx: Transaction): Promise<string[]>;
}

/** The files of the platform: the schemas and functions a hosted project has from the start. */
export async function platformSet(versions?: readonly string[]): Promise<MigrationSet> {
  const files = withVersions(await readMigrations(fileURLToPath(new URL("../../../migrations", import.meta.url))), versions);
  const table = "auth.schema_migrations";
  const readVersions = async (tx: Transaction): Promise<string[]> =>
    (await tx.query<{ version: string }>(`select version from ${table} order by version`)).map(({ version }) => version);
  return {
    table,
    prepare: `create schema if not exists auth; create table if not exists ${table} (version text primary key)`,
    async readPending(tx) {
      const applied = new Set(await readVersions(tx));
      return files
        .filter(({ version }) => !applied.has(version))
        .map((file) => ({
          path: file.path,
          text: file.text,
          record: (to) => to.query(`insert into ${table} (version) values ($1)`, [file.version]),
        }));
    },
    readUnknown: async (tx) => unknownOf(await readVersions(tx), files),
  };
}

// The tables of the Supabase CLI.
const PROJECT_TABLES = `
  create schema if not exists supabase_migrations;
  create table if not exists supabase_migrations.schema_migrations (version text not null primary key, statements text[], name text);
  create table if not exists supabase_migrations.seed_files (path text not null primary key, hash text not null);
`;

/** The migrations of the project. */
export async function projectSet(supabaseDir: string, versions?: readonly string[]): Promise<MigrationSet> {
  const files = withVersions(await readMigrations(join(supabaseDir, "migrations")), versions);
  const table = "supabase_migrations.schema_migrations";
  return {
    table,
    prepare: PROJECT_TABLES,
    async readPending(tx) {
      const records = await tx.query<MigrationRecord>(`select version, statements from ${table} order by version`);
      return files
        .filter((file) => !isRecorded(file, records))
        .map((file) => ({
          path: file.path,
          text: file.text,
          record: (to) =>
            to.query(`insert into ${table} (version, statements, name) values ($1, array[$2], $3)`, [file.version, file.text, file.name]),
        }));
    },
    async readUnknown(tx) {
      const rows = await tx.query<{ version: string }>(`select version from ${table} order by version`);
      return unknownOf(
        rows.map(({ version }) => version),
        files,
      );
    },
  };
}

/** The seeds that `config.toml` names; a seed that was removed is no reason to refuse a database. */
export async function seedSet(supabaseDir: string, patterns: readonly string[]): Promise<MigrationSet> {
  const files = await readSeeds(supabaseDir, patterns);
  const table = "supabase_migrations.seed_files";
  return {
    table,
    prepare: PROJECT_TABLES,
    async readPending(tx) {
      const paths = new Set((await tx.query(`select path from ${table}`)).map(({ path }) => path));
      return files
        .filter(({ name }) => !paths.has(name))
        .map((file) => ({
          path: file.path,
          text: file.text,
          record: (to) => to.query(`insert into ${table} (path, hash) values ($1, $2)`, [file.name, file.hash]),
        }));
    },
    readUnknown: () => Promise.resolve([]),
  };
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

function unknownOf(applied: readonly string[], files: readonly MigrationFile[]): string[] {
  const known = new Set(files.map(({ version }) => version));
  return applied.filter((version) => !known.has(version));
}

interface MigrationRecord extends Record<string, unknown> {
  version: string;
  statements: string[] | null;
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
