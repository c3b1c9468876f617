import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { RELEASE_NAME, type ReleaseFile, releaseFiles } from "./release-files.ts";

// Writes release/larkfell-<version>-<system>.tar.gz from a built checkout. The same checkout gives the same bytes.

const MTIME = new Date("2000-01-01T00:00:00Z");
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Writes the files into a tarball, in a folder with the name of the release. */
export async function writeTarball(files: readonly ReleaseFile[], tarball: string, level?: number): Promise<void> {
  const archive = pack();
  async function fill(): Promise<void> {
    for (const name of foldersOf(files)) archive.entry({ name, type: "directory", mode: 0o755, mtime: MTIME });
    for (const { path, content, isExecutable } of files) {
      const size = "text" in content ? Buffer.byteLength(content.text) : (await stat(content.file)).size;
      const header = { name: `${RELEASE_NAME}/${path}`, size, mode: isExecutable ? 0o755 : 0o644, mtime: MTIME };
      await pipeline("text" in content ? Readable.from([content.text]) : createReadStream(content.file), archive.entry(header));
    }
    archive.finalize();
  }
  await Promise.all([fill(), pipeline(archive, createGzip({ level }), createWriteStream(tarball))]);
}

/** The folders of the release: tar creates missing ones with the mode that the user of the moment has. */
function foldersOf(files: readonly ReleaseFile[]): string[] {
  const folders = new Set<string>([RELEASE_NAME]);
  for (const { path } of files) {
    const names = path.split("/").slice(0, -1);
    for (const [index] of names.entries()) folders.add([RELEASE_NAME, ...names.slice(0, index + 1)].join("/"));
  }
  return [...folders].toSorted();
}

if (import.meta.main) {
  const folder = join(ROOT, "release");
  await mkdir(folder, { recursive: true });
  const tarball = join(folder, `${RELEASE_NAME}.tar.gz`);
  const files = releaseFiles(ROOT);
  await writeTarball(files, tarball);
  console.log(`${tarball}: ${((await stat(tarball)).size / 1_000_000).toFixed(1)} MB, ${files.length} files`);
}
