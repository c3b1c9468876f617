/** A body of one chunk. A response made from the bytes themselves copies them twice, and again whenever they are read. */
export function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}

/** Reads a body, without a copy if it is one chunk. */
export async function bytesOf(body: ReadableStream<Uint8Array<ArrayBuffer>> | null): Promise<Uint8Array<ArrayBuffer>> {
  const [first = new Uint8Array(), ...more] = body ? await Array.fromAsync(body) : [];
  return more.length === 0 ? first : Buffer.concat([first, ...more]);
}
