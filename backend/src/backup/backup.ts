import { type Database, DatabaseError, type Transaction } from "../db/database.ts";
import * as SQLSTATE from "../sqlstates.ts";
import type { ByteStore } from "../storage/bytes/byte-store.ts";
import { type ArchiveWriter, writeArchive } from "./archive-writer.ts";
import { MANIFEST } from "./archive-reader.ts";
import { FORMAT, type Manifest, type ManifestTable } from "./manifest.ts";
import { countStep, type OnProgress } from "./progress.ts";
import { seal } from "./sealed-secrets.ts";
import { listSequences, listTables, quoteTable, setTextFormat, type Table } from "./tables.ts";
import { writeTable } from "./write-tables.ts";

/** The entry with the encrypted `secrets.json`. */
export const SECRETS = "secrets.json.sealed";
/** The folder of the bytes of stored objects, by version. */
export const OBJECTS = "objects/";

const README = `A backup of a website and its backend, as a tar file.

tables/<schema>.<table>/<number>.ndjson.gz   the rows: one JSON object a line, each value in PostgreSQL's text form
objects/<version>                            uploaded files; storage.objects lists their names and versions
secrets.json.sealed                          the secrets, encrypted (scrypt, AES-256-GCM; all parameters inside)
manifest.json                                versions, tables with columns and number of rows, sequences
SHA256SUMS                                   check with: tar xf <file> && sha256sum -c SHA256SUMS
`;

export interface BackupOptions {
  file: string;
  /** The database; nothing else may write to it if it is embedded. */
  database: Database;
  /** The bytes of objects; null to leave them out. */
  bytes: Pick<ByteStore, "read" | "stat"> | null;
  /** The content of `secrets.json` and its passphrase; null to leave it out. */
  secrets: { bytes: Uint8Array; passphrase: string } | null;
  /** Name and version of the program. */
  program: string;
  onProgress?: OnProgress | undefined;
}

/** Writes a backup of one moment. The caller holds the bytes of deleted objects (`holdBytes`). Fails with a `BackupError`. */
export async function makeBackup({ file, database, bytes, secrets, program, onProgress }: BackupOptions): Promise<Manifest> {
  return writeArchive(file, async (archive) => {
    await archive.add("README.txt", Buffer.from(README));
    const { versions, ...snapshot } = await inSnapshot(database, (tx) => writeDatabase(tx, archive, onProgress));
    const objects = bytes ? await writeObjects(bytes, versions, archive, onProgress) : { count: 0, bytes: 0, missing: [] };
    if (secrets) await archive.add(SECRETS, await seal(secrets.bytes, secrets.passphrase));
    const about = { format: FORMAT, createdAt: new Date().toISOString(), program };
    const manifest: Manifest = { ...about, ...snapshot, objects, secrets: secrets !== null };
    await archive.add(MANIFEST, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
    return manifest;
  });
}

type Snapshot = Pick<Manifest, "postgres" | "migrations" | "tables" | "sequences"> & { versions: string[] };

/** Runs `read` in a snapshot in which no migration can change the tables, and after one that the snapshot waited for. */
async function inSnapshot<T>(database: Database, read: (tx: Transaction) => Promise<T>): Promise<T> {
  let isLocked = false;
  for (;;) {
    const tables = await database.transaction(listTables, { readOnly: true });
    try {
      return await database.transaction(
        async (tx) => {
          await lockTables(tx, tables);
          isLocked = true;
          return read(tx);
        },
        { readOnly: true },
      );
    } catch (error) {
      const isDropped = !isLocked && error instanceof DatabaseError && error.code === SQLSTATE.undefinedTable;
      if (!isDropped) throw error;
    }
  }
}

/**
 * Starts a snapshot in which no migration can change these tables. LOCK takes no snapshot, so it is newer than a migration that it waited
 * for: an older one would read a table that was rewritten as empty. A deadlock, after which the transaction runs again, can only occur
 * here, where the archive has no rows yet.
 */
async function lockTables(tx: Transaction, tables: readonly Table[]): Promise<void> {
  await tx.script(`set transaction isolation level repeatable read; lock table ${tables.map(quoteTable).join(", ")} in access share mode`);
}

async function writeDatabase(tx: Transaction, archive: ArchiveWriter, onProgress?: OnProgress): Promise<Snapshot> {
  await setTextFormat(tx);
  const [server] = await tx.query<{ version: string }>("select current_setting('server_version') as version");
  const platform = await readVersions(tx, "auth");
  const project = await readVersions(tx, "supabase_migrations");
  const sequences = await listSequences(tx);
  const stored = await tx.query<{ version: string }>(
    "select version from storage.objects where version is not null union select version from storage.resumable_parts order by 1",
  );
  const found = await listTables(tx);
  const onRows = countStep("rows_saved", onProgress ? await countAll(tx, found) : 0, onProgress);
  const tables: ManifestTable[] = [];
  for (const table of found) tables.push(await writeTable(tx, table, archive, onRows));
  const versions = stored.map(({ version }) => version);
  return { postgres: server?.version ?? "", migrations: { platform, project }, tables, sequences, versions };
}

async function countAll(tx: Transaction, tables: readonly Table[]): Promise<number> {
  const counts = tables.map((table) => `(select count(*) from ${quoteTable(table)})`);
  const [all] = await tx.query<{ rows: number }>(`select (${counts.join(" + ")})::float8 as rows`);
  return all?.rows ?? 0;
}

async function readVersions(tx: Transaction, schema: "auth" | "supabase_migrations"): Promise<string[]> {
  const rows = await tx.query<{ version: string }>(`select version from ${schema}.schema_migrations order by version collate "C"`);
  return rows.map(({ version }) => version);
}

async function writeObjects(
  store: Pick<ByteStore, "read" | "stat">,
  versions: readonly string[],
  archive: ArchiveWriter,
  onProgress: OnProgress | undefined,
): Promise<Manifest["objects"]> {
  const onFiles = countStep("files_saved", versions.length, onProgress);
  const missing: string[] = [];
  let total = 0;
  for (const version of versions) {
    const found = await store.stat(version);
    const content = found && (await store.read(version));
    const name = OBJECTS + version;
    if (!content) missing.push(version);
    else if (content instanceof Uint8Array) await archive.add(name, content);
    else await archive.addStream(name, found.size, content);
    total += content ? found.size : 0;
    onFiles(1);
  }
  return { count: versions.length - missing.length, bytes: total, missing };
}
