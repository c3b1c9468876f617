import { expect, test } from "vitest";
import { createChangeFrames } from "./change-frames.ts";
import type { Matched } from "../database/subscribers.ts";

const TOPIC = "realtime:notes";

function change(text: string, matches: readonly number[] = [0]): Matched {
  return { data: { text }, matches };
}

/** Reads the messages of the frames in `buffers`. */
function read(buffers: readonly Buffer[]): unknown[] {
  const frames: unknown[] = [];
  for (const bytes of buffers)
    for (let at = 0; at < bytes.length;) {
      const short = bytes.readUInt8(at + 1);
      const [head, length] =
        short < 126 ? [2, short] : short === 126 ? [4, bytes.readUInt16BE(at + 2)] : [10, Number(bytes.readBigUInt64BE(at + 2))];
      frames.push(JSON.parse(bytes.toString("utf8", at + head, at + head + length)));
      at += head + length;
    }
  return frames;
}

test("changes become one frame each, in order, in buffers that small ones share", () => {
  const framesOf = createChangeFrames();
  const texts = ["a", "b".repeat(200), "c".repeat(70_000), "d", "e"];
  const buffers = framesOf(
    texts.map((text) => change(text, [0, 2])),
    TOPIC,
    "2.0.0",
  );
  expect(buffers.length).toBe(3);
  expect(read(buffers)).toEqual(texts.map((text) => [null, null, TOPIC, "postgres_changes", { ids: [1, 3], data: { text } }]));
});

test("subscribers of a topic with equal changes share the buffers, others do not", () => {
  const framesOf = createChangeFrames();
  const [large, small] = [change("l".repeat(70_000)), change("s")];
  const first = framesOf([large, small], TOPIC, "2.0.0");
  const second = framesOf([{ ...large }, { ...small }], TOPIC, "2.0.0");
  for (const [index, buffer] of first.entries()) expect(second[index]).toBe(buffer);
  const [alone] = framesOf([large], TOPIC, "2.0.0");
  expect(alone).toBe(first[0]);
  expect(framesOf([large], TOPIC, "1.0.0")[0]).not.toBe(alone);
  expect(read(framesOf([large], "realtime:other", "2.0.0"))).toMatchObject([[null, null, "realtime:other", "postgres_changes", {}]]);
  expect(read(framesOf([{ ...large, matches: [4] }], TOPIC, "2.0.0"))).toMatchObject([
    [null, null, TOPIC, "postgres_changes", { ids: [5] }],
  ]);
});
