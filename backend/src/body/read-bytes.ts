import { Buffer } from "node:buffer";
import { ClientGoneError } from "../client-gone.ts";

/** The longest body that is read at once, in bytes; Node holds as much of a body before anybody reads it. */
const SHORT_BYTES = 64 * 1024;

/**
 * Reads a body of at most `longest` bytes like `collectBytes`; returns null at once if the client states a larger size. Fails with a
 * `ClientGoneError` if the body is cut off.
 */
export async function readBytes(request: Request, longest: number, count?: (bytes: number) => void): Promise<Buffer<ArrayBuffer> | null> {
  const stated = request.headers.get("content-length");
  if (Number(stated) > longest) return null;
  const isShort = stated !== null && Number(stated) <= SHORT_BYTES;
  return collectBytes(bodyOf(request, isShort), longest, count);
}

/** The body; a short one is one chunk, because `request.body` creates a stream, which takes longer than reading it. */
async function* bodyOf(request: Request, isShort: boolean): AsyncGenerator<Uint8Array> {
  try {
    if (isShort) yield new Uint8Array(await request.arrayBuffer());
    else if (request.body) yield* request.body;
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
