/** Reads a body of at most `longest` bytes like `collectBytes`; returns null at once if the client states a larger size. */
export async function readBytes(request: Request, longest: number, count?: (bytes: number) => void): Promise<Buffer<ArrayBuffer> | null> {
  if (Number(request.headers.get("content-length")) > longest) return null;
  return collectBytes(request.body ?? [], longest, count);
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
