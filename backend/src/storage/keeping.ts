import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import type { ByteStore } from "./bytes/byte-store.ts";
import { openDiskBytes } from "./bytes/disk.ts";
import { openS3Bytes, type S3Options } from "./bytes/s3.ts";
import type { SweepMode } from "./sweep.ts";
import { openPictures, type Pictures } from "./pictures/index.ts";

export interface KeepingOptions {
  /** The directory of objects' bytes and of pictures drawn from them. */
  directory: string;
  /** The service that keeps objects' bytes in place of the directory. */
  s3?: S3Options | undefined;
  sweepMode?: SweepMode | undefined;
}

/** Opens what keeps files; without options in a temporary directory, made when there is something to keep and removed in the end. */
export async function openKeeping(options: KeepingOptions | undefined, log: Logger): Promise<{ bytes: ByteStore; pictures: Pictures }> {
  const directory = options?.directory ?? join(tmpdir(), `larkfell-storage-${crypto.randomUUID()}`);
  const bytes = options?.s3 ? await openS3Bytes(options.s3) : openDiskBytes(join(directory, "objects"));
  const open = (): Promise<Pictures> => openPictures({ directory: join(directory, "pictures"), log });
  if (options) return { bytes, pictures: await open() };
  async function close(): Promise<void> {
    await bytes.close();
    await rm(directory, { recursive: true, force: true });
  }
  return { bytes: { ...bytes, close }, pictures: openedLater(open) };
}

/** Pictures that are opened with the first one asked for; until then there is none to forget. */
function openedLater(open: () => Promise<Pictures>): Pictures {
  let opening: Promise<Pictures> | undefined;
  return {
    render: async (...asked) => (await (opening ??= open())).render(...asked),
    forget: async (versions) => (await opening)?.forget(versions),
    close: async () => (await opening)?.close(),
  };
}
