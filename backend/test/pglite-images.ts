import { readdir, readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { buffer } from "node:stream/consumers";
import { pack } from "tar-stream";
import type { Database } from "../src/db/database.ts";

/** Directories of template1 and template0, whose object identifiers are fixed since PostgreSQL 15. */
const TEMPLATES = ["base/1", "base/4"];

const WAL_SEGMENT = /^pg_wal\/[0-9A-F]{24}$/;
const WAL_PAGE_BYTES = 8192;

/**
 * Closes an embedded database and makes its files small to copy. The write-ahead log, which is longer than the tables after the
 * migrations, begins with the last checkpoint, without the segment that Postgres keeps for later. The template databases, which are
 * half of the files and which PGlite never connects to, are removed.
 */
export async function closeToCopy(database: Database, cluster: string): Promise<void> {
  await database.transaction((tx) => tx.query("select pg_switch_wal()", []));
  await database.close();
  const names = (await readdir(join(cluster, "pg_wal"))).filter((name) => WAL_SEGMENT.test(`pg_wal/${name}`)).sort();
  await Promise.all(names.slice(1).map((name) => rm(join(cluster, "pg_wal", name))));
  await Promise.all(TEMPLATES.map((name) => rm(join(cluster, name), { recursive: true, force: true })));
}

/**
 * Packs the files of an embedded database into an image for databases in memory, a tar archive. The database must be closed:
 * otherwise each database would start with a recovery, which takes a fifth of its start. The image has no unused pages of the
 * write-ahead log.
 */
export async function packImage(cluster: string): Promise<Buffer> {
  const tar = pack();
  const image = buffer(tar);
  for (const entry of await readdir(cluster, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(cluster, path);
    if (entry.isDirectory()) tar.entry({ name, type: "directory", mode: 0o700 });
    else {
      const content = await readFile(path);
      tar.entry({ name, mode: 0o600 }, WAL_SEGMENT.test(name) ? withoutUnusedPages(content) : content);
    }
  }
  tar.finalize();
  return image;
}

function withoutUnusedPages(segment: Buffer): Buffer {
  const lastByte = segment.findLastIndex((byte) => byte !== 0);
  return segment.subarray(0, Math.ceil((lastByte + 1) / WAL_PAGE_BYTES) * WAL_PAGE_BYTES);
}
