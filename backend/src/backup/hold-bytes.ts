import type { Database } from "../db/database.ts";

/** Longer than a backup takes; the row of one that was interrupted expires after it. */
const LONGEST_BACKUP = "6 hours";

/**
 * Keeps the bytes of deleted objects until `releaseBytes` is called with the returned id, so that the bytes that the snapshot of a
 * backup lists can be read. Null if the server that uses the database is older than this function.
 */
export async function holdBytes(database: Database): Promise<string | null> {
  return database.transaction(async (tx) => {
    const [known] = await tx.query<{ exists: boolean }>("select to_regclass('storage.backups') is not null as exists");
    if (!known?.exists) return null;
    await tx.query("delete from storage.backups where expires_at < now()");
    const [row] = await tx.query<{ id: string }>(
      "insert into storage.backups (expires_at) values (now() + $1::text::interval) returning id::text",
      [LONGEST_BACKUP],
    );
    if (!row) throw new Error("storage.backups returned no row.");
    return row.id;
  });
}

/** Ends a hold of `holdBytes`, so that the bytes of deleted objects are deleted again. */
export async function releaseBytes(database: Database, id: string): Promise<void> {
  await database.transaction((tx) => tx.query("delete from storage.backups where id = $1::uuid", [id]));
}
