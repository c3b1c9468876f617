/** Reads a body of at most `longest` bytes; returns null, and stops reading, when the body is longer. `count` may refuse more bytes. */
export async function readBytes(
  request: Request,
  longest: number,
  count: (bytes: number) => void = () => undefined,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get("content-length")) > longest) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > longest) return null;
    count(chunk.byteLength);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
