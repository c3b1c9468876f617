import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { buffer } from "node:stream/consumers";
import { pack } from "tar-stream";

/** Directories of template1 and template0, whose object identifiers are fixed since PostgreSQL 15. */
const TEMPLATES = /^base\/[14](\/|$)/;

/**
 * Packs the files of an embedded database into an image for databases in memory, a tar archive. The database must be closed:
 * otherwise each database would start with a recovery, which takes a fifth of its start. The image has no template databases,
 * which are half of the files and which PGlite never connects to.
 */
export async function packImage(cluster: string): Promise<Buffer> {
  const tar = pack();
  const image = buffer(tar);
  for (const entry of await readdir(cluster, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(cluster, path);
    if (TEMPLATES.test(name)) continue;
    if (entry.isDirectory()) tar.entry({ name, type: "directory", mode: 0o700 });
    else tar.entry({ name, mode: 0o600 }, await readFile(path));
  }
  tar.finalize();
  return image;
}
