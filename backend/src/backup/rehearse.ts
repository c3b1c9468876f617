import { randomUUID } from "node:crypto";
import { createPasswords, OWASP_COST } from "../auth/accounts/passwords.ts";
import type { Database } from "../db/database.ts";
import { readArchive } from "./archive-reader.ts";
import { OBJECTS } from "./backup.ts";
import { BackupError } from "./error.ts";
import type { Manifest } from "./manifest.ts";

const NEWEST_OBJECT = `select version, (metadata ->> 'size')::float8 as size from storage.objects
  where version is not null and version <> all ($1::text[]) order by created_at desc limit 1`;
const PASSWORD = "select encrypted_password as hash from auth.users where encrypted_password like '$%' order by created_at desc limit 1";

/** Tries the newest password hash and the newest object of a restored database. Fails with a `BackupError`. */
export async function tryRestored(database: Database, file: string, { objects }: Pick<Manifest, "objects">): Promise<void> {
  const { object, account } = await database.transaction(
    async (tx) => {
      const [newest] = await tx.query<{ version: string; size: number | null }>(NEWEST_OBJECT, [`{${objects.missing.join()}}`]);
      const [user] = await tx.query<{ hash: string }>(PASSWORD);
      return { object: newest, account: user };
    },
    { readOnly: true },
  );
  // A hash that cannot be read throws; a random password never matches.
  if (
    account &&
    (await createPasswords(OWASP_COST)
      .verify(account.hash, randomUUID())
      .catch(() => true))
  ) {
    throw new BackupError("damaged", "A password hash of the backup cannot be used.");
  }
  if (!object || objects.count === 0) return;
  const size = await sizeOf(file, object.version);
  if (size === null || (object.size !== null && size !== object.size)) {
    throw new BackupError("damaged", `The uploaded file ${object.version} of the backup is missing or has the wrong size.`);
  }
}

async function sizeOf(file: string, version: string): Promise<number | null> {
  for await (const { name, bytes } of readArchive(file)) {
    if (name !== OBJECTS + version) continue;
    let size = 0;
    for await (const chunk of bytes) size += chunk.length;
    return size;
  }
  return null;
}
