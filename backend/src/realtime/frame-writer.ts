import type { Duplex } from "node:stream";

/** A client with more unread bytes is disconnected. */
const MAX_WAITING_BYTES = 1_000_000;
/** Frames of one turn of the event loop are written together up to this size. */
const MAX_BATCH_BYTES = 65_536;
/** The longest time of writing before other work of the event loop has its turn. */
const SLICE_MS = 1;

/** Writes a frame to a socket; returns false if the client does not read. One frame may be longer than the limit if nothing else waits. */
type WriteFrame = (frame: Buffer) => boolean;

/**
 * Creates the function that makes the writer of each socket of a process. The writers work beside `ws`, which writes each of its own
 * frames in one piece: a frame for many sockets is not framed for each of them, and frames of the same turn of the event loop need one
 * system call. Writing to many sockets is done in slices, between which the process serves other clients.
 */
export function createFrameWriters(): (socket: Duplex) => WriteFrame {
  /** Writes what each socket has, in the order in which the sockets had something to write. */
  const waiting = new Set<() => void>();
  let isScheduled = false;

  function writeSlice(): void {
    const end = performance.now() + SLICE_MS;
    for (const flush of waiting) {
      flush();
      if (performance.now() > end) break;
    }
    if (waiting.size > 0) setImmediate(writeSlice);
    else isScheduled = false;
  }

  return (socket) => {
    function flush(): void {
      if (waiting.delete(flush)) socket.uncork();
    }

    return (frame) => {
      if (waiting.has(flush) && socket.writableLength + frame.length > MAX_BATCH_BYTES) flush();
      const unread = socket.writableLength;
      if (unread > 0 && unread + frame.length > MAX_WAITING_BYTES) return false;
      if (!waiting.has(flush)) {
        waiting.add(flush);
        socket.cork();
      }
      if (!isScheduled) {
        isScheduled = true;
        process.nextTick(writeSlice);
      }
      socket.write(frame);
      return true;
    };
  };
}
