import { Buffer } from "node:buffer";
import { ClientGoneError } from "../client-gone.ts";

/**
 * Reads a body of at most `longest` bytes like `collectBytes`; returns null at once if the client states a larger size. Fails with a
 * `ClientGoneError` if the body is cut off.
 */
export async function readBytes(request: Request, longest: number, count?: (bytes: number) => void): Promise<Buffer<ArrayBuffer> | null> {
  if (Number(request.headers.get("content-length")) > longest) return null;
  return collectBytes(bodyOf(request), longest, count);
}

async function* bodyOf({ body }: Request): AsyncGenerator<Uint8Array> {
  try {
    if (body) yield* body;
  } catch (cause) {
    throw new ClientGoneError("The body was cut off", { cause });
  }
}

/** Reads a stream of at most `longest` bytes; returns null, and ends the stream, when it is longer. `count` may refuse more bytes. */
export async function collectBytes(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  longest: number,
  count: (bytes: number) => void = () => undefined,
): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    if (size > longest) return null;
    count(chunk.byteLength);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
