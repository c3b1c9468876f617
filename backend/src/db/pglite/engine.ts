import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { loadExtensions, type ExtensionName } from "./extensions.ts";
import { ImageFs } from "./image-fs.ts";
import { releasePackageFiles } from "./package-files.ts";

interface EngineOptions {
  /** Directory of the Postgres files; without one the database is in memory. */
  directory: string | undefined;
  /** An image of another database to start from, if there are no files yet. */
  image: Uint8Array | undefined;
  /** The compiled code of PGlite; by default it is read and compiled. */
  module?: WebAssembly.Module | undefined;
  /** The extensions that are available to `create extension`. */
  extensions?: readonly ExtensionName[];
  /** Returns false while the memory of Postgres must not grow; for a database with a directory. */
  mayGrow?: () => boolean;
  onStderr: (line: string) => void;
}

/** Starts a PGlite whose commits are on disk when they are acknowledged, which is not PGlite's default (decision 006). */
export async function startEngine(options: EngineOptions): Promise<PGlite> {
  const { directory, image, module, extensions = [], mayGrow = () => true, onStderr } = options;
  // The caller holds the directory, so this is the file of a process that has ended. An empty one, as after a power cut, stops Postgres.
  if (directory !== undefined) rmSync(join(directory, "postmaster.pid"), { force: true });
  const pg = await PGlite.create({
    ...(directory === undefined ? {} : { fs: new SyncedNodeFs(directory, createMemory(mayGrow)) }),
    ...(image ? { fs: new ImageFs(image) } : {}),
    ...(module ? { pgliteWasmModule: module } : {}),
    extensions: await loadExtensions(extensions),
    startParams: startParams(directory !== undefined),
    onStderr: (line) => {
      onStderr(line);
      return false;
    },
  });
  releasePackageFiles(pg.Module);
  return pg;
}

function startParams(durable: boolean): string[] {
  // The default 128 MB of buffers would be the largest part of the process.
  // Old write-ahead log stays on disk up to max_wal_size, which is 1 GB by default.
  const settings = ["-c", "shared_buffers=8MB", "-c", "min_wal_size=32MB", "-c", "max_wal_size=64MB"];
  if (!durable) return [...PGlite.defaultStartParams, ...settings];
  // -F switches fsync off; the default method, fdatasync, does nothing in the WASM build.
  return [...PGlite.defaultStartParams.filter((param) => param !== "-F"), ...settings, "-c", "wal_sync_method=fsync"];
}

/** The parts of Emscripten's Node file system used here; PGlite does not export its types. */
interface EmscriptenNodeFs {
  stream_ops: { fsync?: (stream: { nfd?: number; node: unknown }) => number };
  realPath(node: unknown): string;
  /** Converts Node's errors to error numbers for Postgres. */
  tryFSOperation(operation: () => void): void;
}

/** The memory of Postgres, in pages of 64 KB: 128 MB at first, as PGlite gives it, and at most 512 MB instead of 2 GB. It never shrinks. */
const INITIAL_PAGES = 2048;
const MAX_PAGES = 8192;

/** Creates the memory of Postgres; a refusal to grow makes its statement fail with 53200. */
function createMemory(mayGrow: () => boolean): WebAssembly.Memory {
  const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: MAX_PAGES });
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    if (!mayGrow()) throw new RangeError("The running statement may not use more memory.");
    return grow(pages);
  };
  return memory;
}

class SyncedNodeFs extends NodeFS {
  readonly #wasmMemory: WebAssembly.Memory;

  constructor(directory: string, wasmMemory: WebAssembly.Memory) {
    super(directory);
    this.#wasmMemory = wasmMemory;
  }

  override async init(...args: Parameters<NodeFS["init"]>): ReturnType<NodeFS["init"]> {
    const { emscriptenOpts } = await super.init(...args);
    const addFsync = (module: { NODEFS: EmscriptenNodeFs }): void => {
      const { stream_ops, realPath, tryFSOperation } = module.NODEFS;
      stream_ops.fsync = ({ nfd, node }) => {
        tryFSOperation(() => (nfd === undefined ? syncDirectory(realPath(node)) : fsyncSync(nfd)));
        return 0;
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, wasmMemory: this.#wasmMemory, preRun: [...(emscriptenOpts.preRun ?? []), addFsync] } };
  }
}

function syncDirectory(path: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
