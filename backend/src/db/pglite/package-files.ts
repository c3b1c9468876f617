import { openSync, readSync } from "node:fs";

/** The parts of Emscripten's file system used here; PGlite does not export its types. */
interface EmscriptenFs {
  lookupPath(path: string): { node: Node };
}

interface Node {
  /** The bytes of a file, or the entries of a directory. */
  contents: Uint8Array<ArrayBuffer> | Record<string, Node>;
}

/** The directories of the files that PGlite comes with, such as libraries, time zones and scripts of extensions. */
const DIRECTORIES = ["/home/postgres", "/pglite/bin", "/pglite/icu", "/pglite/lib", "/pglite/share"];

/**
 * Frees the 6 MB of PGlite's package, `pglite.data`, which Postgres mostly needs to create a database. Its files are read from the
 * package when Postgres opens them. The package stays open until the thread ends, so that an update does not change them.
 */
export function releasePackageFiles({ FS: fs }: { FS: EmscriptenFs }): void {
  const descriptor = openSync(new URL("pglite.data", import.meta.resolve("@electric-sql/pglite")), "r");
  let data: ArrayBuffer | undefined;

  function release(node: Node): void {
    const { contents } = node;
    if (!(contents instanceof Uint8Array)) return Object.values(contents).forEach(release);
    const { buffer, byteOffset, byteLength } = contents;
    // Files of loaded extensions have buffers of their own.
    if (buffer !== (data ??= buffer)) return;
    Object.defineProperty(node, "contents", {
      get(): Uint8Array<ArrayBuffer> {
        const bytes = new Uint8Array(byteLength);
        readSync(descriptor, bytes, 0, byteLength, byteOffset);
        return bytes;
      },
    });
  }

  for (const directory of DIRECTORIES) release(fs.lookupPath(directory).node);
  // PGlite refers to the buffer until it is closed; a transfer frees its memory at once.
  data?.transfer(0);
}
