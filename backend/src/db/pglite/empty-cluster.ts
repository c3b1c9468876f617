import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** The compressed tar archive of the files of an empty database, which scripts/setup.mjs makes. */
export const EMPTY_CLUSTER = fileURLToPath(new URL("../../../build/empty-cluster.tar.gz", import.meta.url));

/** Writes the files of an empty database into an empty directory, for their owner only. Fails with the error of the file system. */
export async function unpackEmptyCluster(directory: string): Promise<void> {
  const program = fileURLToPath(new URL("./unpack-cluster.ts", import.meta.url));
  const unpacking = promisify(execFile)(process.execPath, [program, EMPTY_CLUSTER, directory]);
  // The directory is renamed only when complete, so the child process may be killed at any time.
  const abandon = (): void => void unpacking.child.kill("SIGKILL");
  process.once("exit", abandon);
  await unpacking.catch(rethrowWithReason).finally(() => process.off("exit", abandon));
}

function rethrowWithReason(error: unknown): never {
  const reason = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
  throw new Error(reason === "" ? "the files of an empty database cannot be written" : reason, { cause: error });
}

/** Reads the files of an empty database as an image for a database in memory. */
export async function readEmptyCluster(): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await promisify(gunzip)(await readFile(EMPTY_CLUSTER)));
}
