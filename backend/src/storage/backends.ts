import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import type { ByteStore } from "./bytes/byte-store.ts";
import { openDiskBytes } from "./bytes/disk.ts";
import { openS3Bytes, type S3Options } from "./bytes/s3.ts";
import { openRenditions, type Renditions } from "./renditions/renditions.ts";
import type { SweepMode } from "./sweep.ts";

export interface StorageBackendOptions {
  /** The directory of objects' bytes and of the rendition cache. */
  directory: string;
  /** The S3 service that stores objects' bytes instead of the directory. */
  s3?: S3Options | undefined;
  sweepMode?: SweepMode | undefined;
}

/** The stores behind the storage API. */
interface StorageBackends {
  bytes: ByteStore;
  renditions: Renditions;
  sweepMode: SweepMode | undefined;
}

/** Opens the store of objects' bytes. */
export async function openByteStore({ directory, s3 }: Pick<StorageBackendOptions, "directory" | "s3">): Promise<ByteStore> {
  return s3 ? openS3Bytes(s3) : openDiskBytes(join(directory, "objects"));
}

/** Opens the stores; without options in a temporary directory that is removed on close. */
export async function openStorageBackends(options: StorageBackendOptions | undefined, log: Logger): Promise<StorageBackends> {
  const directory = options?.directory ?? (await mkdtemp(join(tmpdir(), "larkfell-storage-")));
  const bytes = await openByteStore({ directory, s3: options?.s3 });
  const renditions = await openRenditions({ directory: join(directory, "renditions"), log });
  if (options) return { bytes, renditions, sweepMode: options.sweepMode };
  const close = (): Promise<void> => rm(directory, { recursive: true, force: true });
  return { bytes: { ...bytes, close }, renditions, sweepMode: "off" };
}
