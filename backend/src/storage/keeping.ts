import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import type { ByteStore } from "./bytes/byte-store.ts";
import { openDiskBytes } from "./bytes/disk.ts";
import { openS3Bytes, type S3Options } from "./bytes/s3.ts";
import { openPictures, type Pictures } from "./pictures/index.ts";

export interface KeepingOptions {
  /** The directory of objects' bytes and of pictures drawn from them. */
  directory: string;
  /** The service that keeps objects' bytes in place of the directory. */
  s3?: S3Options | undefined;
}

/** Opens what keeps files; without options, in a temporary directory that is removed when the bytes are closed. */
export async function openKeeping(options: KeepingOptions | undefined, log: Logger): Promise<{ bytes: ByteStore; pictures: Pictures }> {
  const directory = options?.directory ?? (await mkdtemp(join(tmpdir(), "larkfell-storage-")));
  const bytes = options?.s3 ? await openS3Bytes(options.s3) : await openDiskBytes(join(directory, "objects"));
  const pictures = await openPictures({ directory: join(directory, "pictures"), log });
  if (options) return { bytes, pictures };
  async function close(): Promise<void> {
    await bytes.close();
    await rm(directory, { recursive: true, force: true });
  }
  return { bytes: { ...bytes, close }, pictures };
}
