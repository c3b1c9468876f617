/** A frame as it is written to the sockets of all its receivers: the head and the payload of a WebSocket frame (RFC 6455, 5.2). */
export type FrameBytes = Buffer;

/** The first byte of a text or binary frame in one piece. */
const FIRST = { text: 0x81, binary: 0x82 } as const;

/** Allocates a frame of a server and writes its head; the last `length` bytes are for the payload. */
export function allocateFrame(kind: keyof typeof FIRST, length: number): FrameBytes {
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const bytes = Buffer.allocUnsafe(head + length);
  bytes[0] = FIRST[kind];
  bytes[1] = head === 2 ? length : head === 4 ? 126 : 127;
  if (head === 4) bytes.writeUInt16BE(length, 2);
  if (head === 10) bytes.writeBigUInt64BE(BigInt(length), 2);
  return bytes;
}

/** Writes a text frame. */
export function textFrame(text: string): FrameBytes {
  const length = Buffer.byteLength(text);
  const bytes = allocateFrame("text", length);
  bytes.write(text, bytes.length - length);
  return bytes;
}
