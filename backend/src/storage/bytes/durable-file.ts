import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, open } from "node:fs/promises";
import type { ByteSource, Written } from "./byte-store.ts";
import { attempt } from "./file-errors.ts";

// Windows has no O_NOFOLLOW; there the value is absent.
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** Writes a new file and syncs it. Fails with a `ByteStoreError` or with the error of the source. */
export async function writeDurably(path: string, source: ByteSource): Promise<Written> {
  const hash = createHash("sha256");
  let size = 0;
  const file = await attempt(() => open(path, CREATE, 0o600));
  try {
    for await (const chunk of source) {
      hash.update(chunk);
      size += chunk.byteLength;
      await attempt(() => file.writeFile(chunk));
    }
    await attempt(() => file.sync());
  } finally {
    await file.close();
  }
  return { size, sha256: hash.digest("hex") };
}

/** Copies to a new file and syncs it. */
export async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const file = await open(to, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Syncs a directory, which makes renames into it durable. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows cannot sync a directory.
  if (process.platform === "win32") return;
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
