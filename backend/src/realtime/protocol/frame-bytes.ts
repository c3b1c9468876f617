/** A frame as it is written to the sockets of all its receivers: the head and the payload of a WebSocket frame (RFC 6455, 5.2). */
export type FrameBytes = Buffer;

/** The first byte of a text or binary frame in one piece. */
const FIRST = { text: 0x81, binary: 0x82 } as const;

/** The longest head of a frame of a server. */
export const MAX_HEAD = 10;

/** Returns the size of the head of a frame with a payload of `length` bytes. */
export function headLength(length: number): number {
  return length < 126 ? 2 : length < 65_536 ? 4 : MAX_HEAD;
}

/** Allocates a frame of a server and writes its head; the last `length` bytes are for the payload. */
export function allocateFrame(kind: keyof typeof FIRST, length: number): FrameBytes {
  const bytes = Buffer.allocUnsafe(headLength(length) + length);
  writeHead(bytes, kind, length);
  return bytes;
}

/** Writes the head of a frame with a payload of `length` bytes. */
export function writeHead(bytes: FrameBytes, kind: keyof typeof FIRST, length: number): void {
  const head = headLength(length);
  bytes[0] = FIRST[kind];
  bytes[1] = head === 2 ? length : head === 4 ? 126 : 127;
  if (head === 4) {
    bytes[2] = length >> 8;
    bytes[3] = length;
  }
  if (head === 10) bytes.writeBigUInt64BE(BigInt(length), 2);
}

/** Writes a text frame. */
export function textFrame(text: string): FrameBytes {
  const length = Buffer.byteLength(text);
  const bytes = allocateFrame("text", length);
  bytes.write(text, bytes.length - length);
  return bytes;
}
