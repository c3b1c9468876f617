import type { FileHandle } from "node:fs/promises";
import { type ByteRange, READ_AT_ONCE } from "./byte-store.ts";

/** Reads a file or a range of it, small ones in one piece, and closes it. */
export async function readFrom(
  file: FileHandle,
  range: ByteRange | undefined,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>> {
  const start = range?.start ?? 0;
  const length = (range ? range.end + 1 : (await file.stat()).size) - start;
  if (length > READ_AT_ONCE) return streamFrom(file, start, length);
  try {
    const bytes = new Uint8Array(length);
    const { bytesRead } = await file.read(bytes, 0, length, start);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const CHUNK = 256 * 1024;

// Node ends the process when an open `FileHandle` is garbage-collected, so a stream that nobody reads or cancels must close its file.
const abandoned = new FinalizationRegistry<FileHandle>((file) => void file.close());

function streamFrom(file: FileHandle, start: number, length: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let position = start;
  const end = start + length;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const chunk = new Uint8Array(Math.min(CHUNK, end - position));
        const { bytesRead } = chunk.length === 0 ? { bytesRead: 0 } : await file.read(chunk, 0, chunk.length, position);
        position += bytesRead;
        if (bytesRead > 0) controller.enqueue(chunk.subarray(0, bytesRead));
        if (bytesRead > 0 && position < end) return;
        await file.close();
        controller.close();
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 0 },
  );
  abandoned.register(stream, file);
  return stream;
}
