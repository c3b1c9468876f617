import type { Matched } from "./database/subscribers.ts";
import type { FrameBytes } from "./protocol/frame-bytes.ts";
import type { Version } from "./protocol/frame.ts";
import { encodeJson } from "./protocol/text-frames.ts";

/** Frames are joined up to this size. */
const MAX_JOINED_BYTES = 65_536;

/**
 * Returns the frames of database changes for the subscribers of a topic (with its prefix), several joined in one buffer, which is written
 * at once. The `data` of a change is the same object for equal subscribers, so that its frame is made once for all of them.
 */
export type FramesOfChanges = (changes: readonly Matched[], topic: string, version: Version) => readonly FrameBytes[];

interface Written {
  text: string;
  frames: Map<string, FrameBytes>;
}

/** Creates the function that makes frames of changes and keeps them as long as their `data`. */
export function createChangeFrames(): FramesOfChanges {
  const written = new WeakMap<object, Written>();
  /** Subscribers with equal requests, mostly of one topic, receive the same changes after each other. */
  let last: { changes: readonly Matched[]; topic: string; version: Version; frames: readonly FrameBytes[] } | undefined;

  function find({ data, matches }: Matched, topic: string, version: Version): FrameBytes {
    const known = written.get(data) ?? { text: JSON.stringify(data), frames: new Map() };
    written.set(data, known);
    const { text, frames } = known;
    // An id of 0 would count as none in the client.
    const ids = matches.map((index) => index + 1).join();
    const key = `${version} ${ids} ${topic}`;
    const head = { joinRef: null, ref: null, topic, event: "postgres_changes" };
    const frame = frames.get(key) ?? encodeJson(version, head, `{"ids":[${ids}],"data":${text}}`);
    frames.set(key, frame);
    return frame;
  }

  return (changes, topic, version) => {
    if (last?.changes !== changes || last.topic !== topic || last.version !== version)
      last = { changes, topic, version, frames: join(changes.map((change) => find(change, topic, version))) };
    return last.frames;
  };
}

function join(frames: readonly FrameBytes[]): FrameBytes[] {
  const parts: FrameBytes[][] = [];
  let size = Infinity;
  for (const frame of frames) {
    size += frame.length;
    if (size > MAX_JOINED_BYTES) {
      parts.push([]);
      size = frame.length;
    }
    parts.at(-1)?.push(frame);
  }
  return parts.map((part) => Buffer.concat(part));
}
