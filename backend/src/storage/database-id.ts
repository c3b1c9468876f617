import type { Database } from "../db/database.ts";
import type { ByteStore } from "./bytes/byte-store.ts";

const EVERYTHING = new Date(8.64e15);

/**
 * Ties an empty storage without an id to this database. Does nothing to a storage with files or an id, so that a wrong database
 * cannot take over files.
 */
export async function claimEmptyStorage(database: Database, bytes: ByteStore): Promise<void> {
  if ((await bytes.readDatabaseId()) !== null) return;
  for await (const _key of bytes.keysBefore(EVERYTHING)) return;
  await adoptStorage(database, bytes);
}

/** Ties the storage to this database, whatever it was tied to before. */
export async function adoptStorage(database: Database, bytes: ByteStore): Promise<void> {
  await bytes.writeDatabaseId(await database.transaction(ensureDatabaseId, { useReserve: true }));
}

/** Returns false if the stored files may belong to another database. A storage without an id is tied to this database if the database knows every file in it. */
export async function ownsFiles(
  database: Database,
  bytes: ByteStore,
  findOrphans: (before: Date) => Promise<{ orphans: readonly string[] }>,
): Promise<boolean> {
  const stored = await bytes.readDatabaseId();
  if (stored === null) {
    const { orphans } = await findOrphans(EVERYTHING);
    if (orphans.length > 0) return false;
    await adoptStorage(database, bytes);
    return true;
  }
  const [row] = await database.transaction((tx) => tx.query<{ id: string }>("select id::text from storage.database_id"), {
    readOnly: true,
  });
  return row?.id === stored;
}

async function ensureDatabaseId(tx: Parameters<Parameters<Database["transaction"]>[0]>[0]): Promise<string> {
  await tx.query("insert into storage.database_id default values on conflict do nothing");
  const [row] = await tx.query<{ id: string }>("select id::text from storage.database_id");
  if (!row) throw new Error("storage.database_id has no row.");
  return row.id;
}
