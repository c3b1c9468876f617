import { MemoryFS } from "@electric-sql/pglite";

/** The parts of Emscripten's file system used here; PGlite does not export its types. */
interface EmscriptenFs {
  mkdirTree(path: string, mode: number): void;
  lookupPath(path: string): { node: Folder };
}

interface Folder {
  node_ops: { mknod(parent: Folder, name: string, mode: number, device: number): File };
}

interface File {
  contents: Uint8Array;
  usedBytes: number;
}

/** The directory where PGlite expects the database. */
const DATABASE = "/pglite/data";
const REGULAR_FILE = 0o100000;

/**
 * The files of a database in memory, from an image. PGlite's own `loadDataDir` looks each folder of each path up again and copies
 * each file three times, which takes a third of the start.
 */
export class ImageFs extends MemoryFS {
  readonly #image: Uint8Array;

  constructor(image: Uint8Array) {
    super();
    this.#image = image;
  }

  override async init(...args: Parameters<MemoryFS["init"]>): ReturnType<MemoryFS["init"]> {
    const { emscriptenOpts } = await super.init(...args);
    const unpack = ({ FS }: { FS: EmscriptenFs }): void => unpackInto(FS, this.#image);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), unpack] } };
  }
}

function unpackInto(fs: EmscriptenFs, image: Uint8Array): void {
  const folders = new Map<string, Folder>();
  function folder(path: string): Folder {
    const known = folders.get(path);
    if (known) return known;
    fs.mkdirTree(path, 0o700);
    const { node } = fs.lookupPath(path);
    folders.set(path, node);
    return node;
  }
  for (const { path, bytes } of readTar(image)) {
    const whole = `${DATABASE}/${path}`;
    if (bytes === null) {
      folder(whole);
      continue;
    }
    const slash = whole.lastIndexOf("/");
    const parent = folder(whole.slice(0, slash));
    const file = parent.node_ops.mknod(parent, whole.slice(slash + 1), REGULAR_FILE | 0o600, 0);
    // A copy, because Postgres changes it in its place.
    file.contents = bytes.slice();
    file.usedBytes = bytes.length;
  }
}

const BLOCK = 512;
const [NAME, NAME_BYTES, SIZE, SIZE_BYTES, TYPE] = [0, 100, 124, 12, 156];
const DIRECTORY = "5".charCodeAt(0);

/** Reads the files and, with null for the bytes, the directories of a tar archive, whose names have at most 100 bytes. */
function* readTar(tar: Uint8Array): Generator<{ path: string; bytes: Uint8Array | null }> {
  const decoder = new TextDecoder();
  const text = (start: number, length: number): string => {
    const [field = ""] = decoder.decode(tar.subarray(start, start + length)).split("\0");
    return field;
  };
  // An empty block ends the archive.
  for (let at = 0; at < tar.length && tar[at] !== 0;) {
    const path = text(at + NAME, NAME_BYTES).replace(/\/$/, "");
    const size = Number.parseInt(text(at + SIZE, SIZE_BYTES), 8);
    const start = at + BLOCK;
    if (tar[at + TYPE] === DIRECTORY) yield { path, bytes: null };
    else yield { path, bytes: tar.subarray(start, start + size) };
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
}
