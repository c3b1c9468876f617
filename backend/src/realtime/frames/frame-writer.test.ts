import { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { createFrameWriters } from "./frame-writer.ts";

afterEach(() => void vi.useRealTimers());

/** Creates a socket whose writes take a tenth of a millisecond; adds their text to `written`. */
function slowSocket(written: string[]): Duplex {
  return new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      for (const end = performance.now() + 0.1; performance.now() < end;);
      written.push(chunk.toString());
      done();
    },
  });
}

test("a message to many sockets leaves turns of the event loop to other work", async () => {
  const written: string[] = [];
  const frameWriter = createFrameWriters();
  for (let index = 0; index < 200; index += 1) frameWriter(slowSocket(written)).write(Buffer.from(String(index)));
  let turns = 0;
  while (written.length < 200) {
    await nextTurn();
    turns += 1;
  }
  expect(turns).toBeGreaterThan(3);
  expect(written).toEqual(Array.from({ length: 200 }, (_, index) => String(index)));
});

test("a message to many sockets leaves the processor to other threads after some slices", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const written: string[] = [];
  const frameWriter = createFrameWriters();
  for (let index = 0; index < 200; index += 1) frameWriter(slowSocket(written)).write(Buffer.from(String(index)));
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  expect(written.length).toBeLessThan(200);
  expect(vi.getTimerCount()).toBe(1);
});

test("frames of a socket that waits for its turn stay in order", async () => {
  const frameWriter = createFrameWriters();
  const sockets = Array.from({ length: 100 }, () => {
    const written: string[] = [];
    return { written, ...frameWriter(slowSocket(written)) };
  });
  const isDone = (frames: number): boolean => sockets.every(({ written }) => written.length === frames);
  for (const { write } of sockets) write(Buffer.from("first"));
  await nextTurn();
  expect(isDone(1)).toBe(false);
  for (const { write } of sockets) write(Buffer.from("second"));
  while (!isDone(2)) await nextTurn();
  for (const { written } of sockets) expect(written).toEqual(["first", "second"]);
});

test("a socket that closes writes its frames before the last one", () => {
  const written: string[] = [];
  const { write, flush } = createFrameWriters()(slowSocket(written));
  write(Buffer.from("one"));
  write(Buffer.from("two"));
  expect(written).toEqual([]);
  flush();
  expect(written).toEqual(["one", "two"]);
});

test("frames that wait for their turn count as unread", () => {
  const stuck = new Duplex({ read() {}, write() {} });
  const { write } = createFrameWriters()(stuck);
  const frame = Buffer.alloc(60_000);
  let taken = 0;
  while (write(frame)) taken += 1;
  expect(taken).toBe(16);
});

test("frames behind a long one count without it", async () => {
  const done: (() => void)[] = [];
  const slow = new Duplex({
    read() {},
    write(_chunk, _encoding, onDone) {
      done.push(onDone);
    },
  });
  const { write, waitForRoom } = createFrameWriters()(slow);
  expect(write(Buffer.alloc(2_000_000))).toBe(true);
  expect(write(Buffer.alloc(900_000))).toBe(true);
  expect(write(Buffer.alloc(2_000_000))).toBe(false);
  let isDrained = false;
  void waitForRoom(1)?.then(() => (isDrained = true));
  for (let turn = 0; turn < 3; turn += 1) {
    expect(isDrained).toBe(false);
    done.shift()?.();
    await nextTurn();
  }
  expect(isDrained).toBe(true);
  expect(write(Buffer.alloc(2_000_000))).toBe(true);
});
