import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../db/database.ts";
import type { UpgradeCopy } from "../db/migrate/keep-copy.ts";

export interface UpgradeCopyOptions {
  /** The directory of the copy. */
  directory: string;
  /** Opens the database of the server once more: the upgrade itself may have its only connection. */
  connect: () => Promise<Database>;
}

/** Describes the copy that an upgrade makes first: the files of an embedded database, or a backup of a server's database, without files. */
export function createUpgradeCopy({ directory, connect }: UpgradeCopyOptions, { copyTo }: Database, program: string): UpgradeCopy {
  async function writeBackup(target: string): Promise<void> {
    const { makeBackup } = await import("./backup.ts");
    const database = await connect();
    try {
      await mkdir(target, { recursive: true, mode: 0o700 });
      await makeBackup({ file: join(target, "database.tar"), database, bytes: null, secrets: null, program });
    } finally {
      await database.close();
    }
  }
  return { directory, write: copyTo ? (target) => copyTo(join(target, "database")) : writeBackup };
}
