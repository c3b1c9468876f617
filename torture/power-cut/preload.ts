import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join, resolve, sep } from "node:path";
import { recordUnsyncedFiles } from "./unsynced-files.ts";

// Preloaded into the product, whose worker threads inherit it: simulates a power cut under the embedded database. At the write with the
// number POWER_CUT_AT_WRITE it undoes a random part of what no fsync has stored and kills the process. With POWER_CUT_IGNORES_FSYNC
// it ignores every fsync, so that acknowledged rows are lost.

const dataDir = resolve(process.env["DATA_DIR"] ?? "");
const cluster = join(dataDir, "database", "cluster") + sep;
const atWrite = Number(process.env["POWER_CUT_AT_WRITE"]);
const ignoresFsync = process.env["POWER_CUT_IGNORES_FSYNC"] === "1";
const {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} = fs;

/** The open files of the cluster. */
const descriptors = new Set<number>();
let unsynced: ReturnType<typeof recordUnsyncedFiles> | undefined;
let writes = 0;

function recorder(): NonNullable<typeof unsynced> {
  // Only the thread of the database reaches this.
  return (unsynced ??= recordUnsyncedFiles(`${dataDir}-removed`));
}

function isInCluster(path: unknown): path is string {
  return typeof path === "string" && path.startsWith(cluster);
}

function cutPower(): void {
  const losses = recorder().lose();
  writeFileSync(`${dataDir}-cut.json`, JSON.stringify(losses));
  process.kill(process.pid, "SIGKILL");
  // The signal may arrive a moment later.
  for (;;);
}

function afterSync(descriptor: number): void {
  if (descriptors.has(descriptor) && !ignoresFsync) recorder().synced(descriptor);
}

Object.assign(fs, {
  openSync(...args: Parameters<typeof openSync>) {
    const [path] = args;
    if (!isInCluster(path)) return openSync(...args);
    const flags = typeof args[1] === "number" ? args[1] : 0;
    if (flags & fs.constants.O_TRUNC) throw new Error(`The power cut does not record that ${path} is truncated as it is opened.`);
    if (flags & fs.constants.O_CREAT) recorder().creating(path);
    const descriptor = openSync(...args);
    descriptors.add(descriptor);
    return descriptor;
  },
  closeSync(descriptor: number) {
    descriptors.delete(descriptor);
    closeSync(descriptor);
  },
  // A text instead of the bytes has other parameters; Emscripten writes bytes.
  writeSync(descriptor: number, bytes: NodeJS.ArrayBufferView, offset?: number, length?: number, position?: number) {
    if (!descriptors.has(descriptor)) return writeSync(descriptor, bytes, offset, length, position);
    if (length === undefined || position === undefined) throw new Error("The power cut records only writes at a position.");
    recorder().keep(descriptor, position, position + length);
    const written = writeSync(descriptor, bytes, offset, length, position);
    writes += 1;
    if (writes >= atWrite) cutPower();
    return written;
  },
  ftruncateSync(descriptor: number, length = 0) {
    if (descriptors.has(descriptor)) recorder().keep(descriptor, length, fstatSync(descriptor).size);
    ftruncateSync(descriptor, length);
  },
  truncateSync(path: string, length = 0) {
    if (!isInCluster(path)) return truncateSync(path, length);
    const descriptor = openSync(path, "r+");
    recorder().keep(descriptor, length, fstatSync(descriptor).size);
    ftruncateSync(descriptor, length);
    closeSync(descriptor);
  },
  // Emscripten creates files this way.
  writeFileSync(...args: Parameters<typeof writeFileSync>) {
    const [path] = args;
    if (isInCluster(path)) recorder().creating(path);
    writeFileSync(...args);
  },
  renameSync(from: string, to: string) {
    if (isInCluster(from)) recorder().renaming(from, to);
    renameSync(from, to);
  },
  unlinkSync(path: string) {
    if (isInCluster(path)) recorder().removing(path);
    unlinkSync(path);
  },
  fsyncSync(descriptor: number) {
    fsyncSync(descriptor);
    afterSync(descriptor);
  },
  fdatasyncSync(descriptor: number) {
    fdatasyncSync(descriptor);
    afterSync(descriptor);
  },
});
// For modules that import single functions.
syncBuiltinESMExports();
