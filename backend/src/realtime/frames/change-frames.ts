import { LRUCache } from "lru-cache";
import type { Matched } from "../database/subscribers.ts";
import type { FrameBytes } from "../protocol/frame-bytes.ts";
import type { Version } from "../protocol/frame.ts";
import { encodeJson } from "../protocol/text-frames.ts";

/** Frames are joined up to this size. */
const MAX_JOINED_BYTES = 65_536;
/** The size of the frames that are cached for other subscribers. */
const MAX_CACHED_BYTES = 4_000_000;

/**
 * Returns the frames of database changes for the subscribers of a topic (with its prefix), several joined in one buffer, which is written
 * at once. The `data` of a change is the same object for equal subscribers, so that they share its frame.
 */
export type FramesOfChanges = (changes: readonly Matched[], topic: string, version: Version) => readonly FrameBytes[];

interface Text {
  id: number;
  json: string;
}

interface Frames {
  topic: string;
  version: Version;
  frames: readonly FrameBytes[];
}

/** A frame, or several joined ones, with what distinguishes them from others of the same topic and version. */
interface Part {
  key: string;
  frame: FrameBytes;
}

export function createChangeFrames(): FramesOfChanges {
  const texts = new WeakMap<object, Text>();
  const cache = new LRUCache<string, FrameBytes>({ maxSize: MAX_CACHED_BYTES, sizeCalculation: ({ length }) => length });
  /** Subscribers with equal requests, mostly of one topic, receive the same changes after each other. */
  const latest = new WeakMap<readonly Matched[], Frames>();
  let count = 0;

  function textOf(data: object): Text {
    const text = texts.get(data) ?? { id: (count += 1), json: JSON.stringify(data) };
    texts.set(data, text);
    return text;
  }

  function keep(key: string, make: () => FrameBytes): FrameBytes {
    const frame = cache.get(key) ?? make();
    cache.set(key, frame);
    return frame;
  }

  function makeFrames(changes: readonly Matched[], topic: string, version: Version): FrameBytes[] {
    const head = { joinRef: null, ref: null, topic, event: "postgres_changes" };
    const parts = changes.map(({ data, matches }): Part => {
      const { id, json } = textOf(data);
      // An id of 0 would count as none in the client.
      const ids = matches.map((index) => index + 1).join();
      const key = `${id}:${ids}`;
      return { key, frame: keep(`${version} ${key} ${topic}`, () => encodeJson(version, head, `{"ids":[${ids}],"data":${json}}`)) };
    });
    return inBuffers(parts).map((joined) => {
      const [first, ...others] = joined;
      if (first && others.length === 0) return first.frame;
      const key = joined.map((part) => part.key).join(";");
      return keep(`${version} ${key} ${topic}`, () => Buffer.concat(joined.map(({ frame }) => frame)));
    });
  }

  return (changes, topic, version) => {
    const known = latest.get(changes);
    if (known?.topic === topic && known.version === version) return known.frames;
    const frames = makeFrames(changes, topic, version);
    latest.set(changes, { topic, version, frames });
    return frames;
  };
}

/** Puts frames into lists whose sizes together are at most `MAX_JOINED_BYTES`; a longer frame is alone. */
function inBuffers(parts: readonly Part[]): Part[][] {
  const lists: Part[][] = [];
  let size = Infinity;
  for (const part of parts) {
    size += part.frame.length;
    if (size > MAX_JOINED_BYTES) {
      lists.push([]);
      size = part.frame.length;
    }
    lists.at(-1)?.push(part);
  }
  return lists;
}
