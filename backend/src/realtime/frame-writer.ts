import type { Duplex } from "node:stream";

/** A client with more unread bytes is disconnected. */
const MAX_WAITING_BYTES = 1_000_000;
/** Frames of one turn of the event loop are written together up to this size. */
const MAX_BATCH_BYTES = 65_536;

/**
 * Creates the function that writes frames to a socket beside `ws`, which writes each of its own in one piece: a frame for many sockets
 * is not framed for each of them, and frames of the same turn of the event loop need one system call. Returns false if the client does
 * not read; one frame may be longer than the limit if nothing else waits.
 */
export function createFrameWriter(socket: Duplex): (frame: Buffer) => boolean {
  let isCorked = false;

  function flush(): void {
    if (isCorked) socket.uncork();
    isCorked = false;
  }

  return (frame) => {
    if (isCorked && socket.writableLength + frame.length > MAX_BATCH_BYTES) flush();
    const waiting = socket.writableLength;
    if (waiting > 0 && waiting + frame.length > MAX_WAITING_BYTES) return false;
    if (!isCorked) {
      isCorked = true;
      socket.cork();
      process.nextTick(flush);
    }
    socket.write(frame);
    return true;
  };
}
