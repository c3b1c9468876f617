import { performance } from "node:perf_hooks";
import type { Duplex } from "node:stream";
import { SLICE_MS } from "../slice.ts";

/** A client with more unread bytes is disconnected. */
const MAX_WAITING_BYTES = 1_000_000;
/** Frames of one turn of the event loop are written together up to this size. */
const MAX_BATCH_BYTES = 65_536;
/** After this number of slices the thread sleeps, so that other threads and processes get its core. */
const SLICES_OF_BURST = 4;
const SLEEP_MS = 1;

/** Written after frames; its callback runs when they are written. */
const NOTHING = Buffer.alloc(0);

/** Writes the frames of one socket. */
interface FrameWriter {
  /**
   * Takes a frame; false if the client does not read. One frame may be longer than the limit if nothing else waits, and is not counted
   * for those behind it.
   */
  write(frame: Buffer): boolean;
  /** Waits until all frames are written, or the connection is lost; undefined if `length` more bytes are written with them. */
  waitForRoom(length: number): Promise<void> | undefined;
  /** Writes what waits at once. */
  flush(): void;
}

/**
 * Creates the function that makes the writer of each socket of a process. The writers work beside `ws`, which writes each of its own
 * frames in one piece: a frame for many sockets is not framed for each of them, and frames of the same turn of the event loop need one
 * system call. Writing to many sockets is done in slices, between which the process serves other clients, and sleeps after every four.
 */
export function createFrameWriters(): (socket: Duplex) => FrameWriter {
  /** The functions that write the frames of the sockets with unwritten frames, in the order in which these got their first one. */
  let waiting: (() => void)[] = [];
  let isScheduled = false;
  let slices = 0;

  function writeSlice(): void {
    const end = waiting.length > 1 ? performance.now() + SLICE_MS : Infinity;
    let written = 0;
    do waiting[written++]?.();
    while (written < waiting.length && performance.now() <= end);
    waiting = written < waiting.length ? waiting.slice(written) : [];
    slices += 1;
    if (waiting.length === 0) {
      isScheduled = false;
      slices = 0;
    } else if (slices % SLICES_OF_BURST === 0) setTimeout(writeSlice, SLEEP_MS);
    else setImmediate(writeSlice);
  }

  return (socket) => {
    let frames: Buffer[] | undefined;
    let bytes = 0;
    /** The size of the frames above the limit that are being written: the callback of one may come after the next is written. */
    let longBytes = 0;

    function flush(): void {
      const batch = frames;
      frames = undefined;
      bytes = 0;
      // `ws` may have ended the connection, or it is lost.
      if (!batch || !socket.writable) return;
      if (batch.length === 1) return void socket.write(batch[0]);
      socket.cork();
      for (const frame of batch) socket.write(frame);
      socket.uncork();
    }

    function writeLong(frame: Buffer): void {
      if (!socket.writable) return;
      longBytes += frame.length;
      socket.write(frame, () => {
        longBytes -= frame.length;
      });
    }

    return {
      flush,
      waitForRoom(length) {
        if (socket.writableLength + bytes + length <= MAX_BATCH_BYTES) return undefined;
        flush();
        if (socket.writableLength === 0 || !socket.writable) return undefined;
        return new Promise((resolve) => {
          socket.write(NOTHING, () => resolve());
        });
      },
      write(frame) {
        if (bytes > 0 && bytes + frame.length > MAX_BATCH_BYTES) flush();
        const unread = socket.writableLength + bytes;
        if (unread > 0 && unread - longBytes + frame.length > MAX_WAITING_BYTES) return false;
        if (frame.length > MAX_WAITING_BYTES) {
          writeLong(frame);
          return true;
        }
        bytes += frame.length;
        if (frames) {
          frames.push(frame);
          return true;
        }
        frames = [frame];
        waiting.push(flush);
        if (!isScheduled) {
          isScheduled = true;
          process.nextTick(writeSlice);
        }
        return true;
      },
    };
  };
}
