import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { extract } from "tar-stream";
import { SUMS } from "./archive-writer.ts";
import { BackupError } from "./error.ts";
import { FORMAT, type Manifest, manifestSchema } from "./manifest.ts";
import { countStep, type OnProgress } from "./progress.ts";

/** The last entry before the sums. */
export const MANIFEST = "manifest.json";

/** One entry of a backup; its bytes must be read before the next entry. */
interface ArchiveEntry {
  name: string;
  bytes: AsyncIterable<Uint8Array>;
}

/** Reads the entries of a tar file in order; calls `onBytes` with the number of bytes of each read. Fails with a `BackupError`. */
export async function* readArchive(file: string, onBytes: (size: number) => void = () => undefined): AsyncGenerator<ArchiveEntry> {
  const source = createReadStream(file, { highWaterMark: 256 * 1024 });
  const tar = extract();
  source.on("data", ({ length }) => onBytes(length));
  // Also for a consumer that stops early.
  source.on("error", (error) => tar.destroy(error));
  source.pipe(tar);
  try {
    for await (const entry of tar) {
      if (entry.header.type !== "file") throw damaged(file, `${entry.header.name} is not a file.`);
      yield { name: entry.header.name, bytes: chunksOf(file, entry) };
      entry.resume();
    }
  } catch (error) {
    rethrow(file, error);
  } finally {
    source.destroy();
  }
}

/** Checks the sum of every entry and returns the manifest. Fails with a `BackupError` that names the damaged entry. */
export async function checkArchive(file: string, onProgress?: OnProgress): Promise<Manifest> {
  const found = new Map<string, string>();
  let manifest: Buffer | undefined;
  let sums: Buffer | undefined;
  const onBytes = countStep("bytes_checked", (await stat(file)).size, onProgress);
  for await (const { name, bytes } of readArchive(file, onBytes)) {
    if (sums) throw damaged(file, `${name} comes after its end.`);
    if (found.has(name)) throw damaged(file, `${name} is in it twice.`);
    if (name === SUMS) sums = await readAll(bytes);
    else if (name === MANIFEST) {
      manifest = await readAll(bytes);
      found.set(name, createHash("sha256").update(manifest).digest("hex"));
    } else {
      const hash = createHash("sha256");
      for await (const chunk of bytes) hash.update(chunk);
      found.set(name, hash.digest("hex"));
    }
  }
  if (!sums || !manifest) throw damaged(file, "its end is missing.");
  const lines = sums.toString().split("\n").slice(0, -1);
  const listed = new Map(lines.map((line): [string, string] => [line.slice(66), line.slice(0, 64)]));
  for (const [name, sum] of found) if (listed.get(name) !== sum) throw damaged(file, `the sum of ${name} is wrong.`);
  for (const name of listed.keys()) if (!found.has(name)) throw damaged(file, `${name} is missing.`);
  return parseManifest(file, manifest);
}

/** Reads a small entry. */
export async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(bytes));
}

async function* chunksOf(file: string, entry: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  const chunks = entry[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await chunks.next().catch((error: unknown) => rethrow(file, error));
    if (done) return;
    if (value instanceof Uint8Array) yield value;
  }
}

function rethrow(file: string, error: unknown): never {
  if (error instanceof BackupError || (error instanceof Error && "syscall" in error)) throw error;
  throw new BackupError("damaged", `${file} is damaged: it cannot be read as a tar file.`, error);
}

function parseManifest(file: string, bytes: Buffer): Manifest {
  const content = parseJson(bytes);
  const format = typeof content === "object" && content !== null && "format" in content ? content.format : undefined;
  if (content === undefined) throw damaged(file, "its manifest cannot be read.");
  if (format !== FORMAT) {
    throw new BackupError("newer", `${file} has format ${String(format)}; this version of the program reads format ${FORMAT}.`);
  }
  const { data, error } = manifestSchema.safeParse(content);
  if (!data) throw damaged(file, "its manifest cannot be read.", error);
  return data;
}

/** Parses JSON; undefined for other text. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}

/** The error of a file that is no complete backup. */
export function damaged(file: string, reason: string, cause?: unknown): BackupError {
  return new BackupError("damaged", `${file} is damaged: ${reason}`, cause);
}
