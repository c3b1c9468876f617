import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { pack } from "tar-stream";
import { syncDirectory } from "../storage/bytes/durable-file.ts";
import { BackupError } from "./error.ts";
import { isRunning } from "./is-running.ts";

/** The last entry, in the form of `sha256sum`. */
export const SUMS = "SHA256SUMS";

/** A tar file that is being written. */
export interface ArchiveWriter {
  add(name: string, bytes: Uint8Array): Promise<void>;
  /** Adds an entry of `size` bytes. Fails if `source` has another size. */
  addStream(name: string, size: number, source: AsyncIterable<Uint8Array>): Promise<void>;
}

/**
 * Writes a tar file whose last entry has the SHA-256 sums of all others. It gets its name when it is complete and synced; a file
 * of that name is never replaced.
 */
export async function writeArchive<T>(file: string, write: (archive: ArchiveWriter) => Promise<T>): Promise<T> {
  refuseExisting(file);
  // Another process may write a backup of this name now.
  const unfinished = `${file}.${process.pid}-${randomUUID().slice(0, 8)}.unfinished`;
  const tar = pack();
  const sums: string[] = [];

  async function addStream(name: string, size: number, source: AsyncIterable<Uint8Array>): Promise<void> {
    const hash = createHash("sha256");
    const { promise: added, resolve, reject } = Promise.withResolvers<undefined>();
    added.catch(() => undefined);
    const entry = tar.entry({ name, size, mode: 0o600 }, (error) => (error ? reject(error) : resolve(undefined)));
    for await (const chunk of source) {
      hash.update(chunk);
      if (!entry.write(chunk)) await Promise.race([once(entry, "drain"), added]);
    }
    entry.end(undefined);
    await added;
    sums.push(`${hash.digest("hex")}  ${name}\n`);
  }

  async function fill(): Promise<T> {
    const add: ArchiveWriter["add"] = (name, bytes) => addStream(name, bytes.length, single(bytes));
    const result = await write({ add, addStream });
    await add(SUMS, Buffer.from(sums.join("")));
    tar.finalize();
    return result;
  }

  await removeAbandoned(file);
  try {
    const written = pipeline(tar, createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true }));
    written.catch((error: unknown) => tar.destroy(error instanceof Error ? error : undefined));
    const filled = fill().catch((error: unknown) => {
      tar.destroy(error instanceof Error ? error : undefined);
      throw error;
    });
    const [result, end] = await Promise.allSettled([filled, written]);
    if (result.status === "rejected") throw result.reason;
    if (end.status === "rejected") throw end.reason;
    refuseExisting(file);
    await rename(unfinished, file);
    await syncDirectory(dirname(file));
    return result.value;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

function refuseExisting(file: string): void {
  if (existsSync(file)) throw new BackupError("exists", `${file} exists. Name a new file, or remove this one.`);
}

/** Removes unfinished files of this backup whose processes have ended. */
async function removeAbandoned(file: string): Promise<void> {
  for (const name of await readdir(dirname(file))) {
    const pid = name.startsWith(`${basename(file)}.`) ? UNFINISHED.exec(name)?.[1] : undefined;
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(dirname(file), name), { force: true });
  }
}

const UNFINISHED = /\.(\d+)-[0-9a-f]{8}\.unfinished$/;

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
