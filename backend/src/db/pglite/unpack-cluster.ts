import { createReadStream, createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";

// A separate program, run once per data directory: in the server, the buffers of the archive would stay in its memory. It writes the
// reason of a failure to standard error.

const [archive, directory] = process.argv.slice(2);
if (archive === undefined || directory === undefined) throw new Error("Usage: node unpack-cluster.ts <archive> <empty directory>");
const entries = extract();
try {
  await Promise.all([pipeline(createReadStream(archive), createGunzip(), entries), writeTo(directory)]);
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function writeTo(target: string): Promise<void> {
  for await (const entry of entries) {
    const path = join(target, entry.header.name);
    if (entry.header.type === "directory") {
      await mkdir(path, { mode: 0o700 });
      entry.resume();
    } else await pipeline(entry, createWriteStream(path, { flags: "wx", mode: 0o600 }));
  }
}
