import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { pack } from "tar-stream";
import { syncDirectory } from "../storage/bytes/durable-file.ts";
import { BackupError } from "./error.ts";

/** The last entry, in the form of `sha256sum`. */
export const SUMS = "SHA256SUMS";

/** A tar file that is being written. */
export interface ArchiveWriter {
  add(name: string, bytes: Uint8Array): Promise<void>;
  /** Adds an entry of `size` bytes. Fails if `source` has another size. */
  addStream(name: string, size: number, source: AsyncIterable<Uint8Array>): Promise<void>;
}

/**
 * Writes a tar file whose last entry has the SHA-256 sums of all others. It has its name when it is complete and on disk; a file
 * of that name is never replaced.
 */
export async function writeArchive<T>(file: string, write: (archive: ArchiveWriter) => Promise<T>): Promise<T> {
  if (existsSync(file)) throw new BackupError("exists", `${file} exists. Name a new file, or remove this one.`);
  const unfinished = `${file}.unfinished`;
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

  await rm(unfinished, { force: true });
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
    await rename(unfinished, file);
    await syncDirectory(dirname(file));
    return result.value;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
