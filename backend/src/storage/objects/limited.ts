import type { ByteSource } from "../bytes/byte-store.ts";
import { StorageError } from "../errors.ts";

/** Passes bytes on; fails with a `StorageError` above `longest` bytes. */
export async function* limited(bytes: ByteSource, longest: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size > longest) throw new StorageError("EntityTooLarge");
    yield chunk;
  }
}

/** Returns the first `size` bytes and a stream of all bytes. */
export async function peek(bytes: ByteSource, size: number): Promise<{ head: Uint8Array; bytes: ByteSource }> {
  const source = bytes[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  let length = 0;
  let ended = false;
  while (length < size && !ended) {
    const { done, value } = await source.next();
    if (done === true) ended = true;
    else {
      seen.push(value);
      length += value.byteLength;
    }
  }
  return { head: Buffer.concat(seen).subarray(0, size), bytes: all(seen, source, ended) };
}

async function* all(seen: readonly Uint8Array[], source: AsyncIterator<Uint8Array>, ended: boolean): AsyncGenerator<Uint8Array> {
  yield* seen;
  if (!ended) yield* { [Symbol.asyncIterator]: () => source };
}
