import type { Matched } from "./database/subscribers.ts";
import { sharedFrame, type SharedFrame } from "./protocol/shared-frame.ts";
import { encodeJson } from "./protocol/text-frames.ts";

/**
 * Returns the frame of a database change for the subscribers of a topic (with its prefix). The `data` is the same object for equal
 * subscribers, so a frame is written once for all of them.
 */
export type FrameOfChange = (change: Matched, topic: string) => SharedFrame;

interface Written {
  text: string;
  frames: Map<string, SharedFrame>;
}

/** Creates the function that writes frames of changes and keeps them as long as their `data`. */
export function createChangeFrames(): FrameOfChange {
  const written = new WeakMap<object, Written>();
  /** Subscribers with equal requests, mostly of one topic, receive a change after each other. */
  let last: { change: Matched; topic: string; frame: SharedFrame } | undefined;

  function find({ data, matches }: Matched, topic: string): SharedFrame {
    const known = written.get(data) ?? { text: JSON.stringify(data), frames: new Map() };
    written.set(data, known);
    const { text, frames } = known;
    // An id of 0 would count as none in the client.
    const ids = matches.map((index) => index + 1).join();
    const key = `${ids} ${topic}`;
    const head = { joinRef: null, ref: null, topic, event: "postgres_changes" };
    const frame = frames.get(key) ?? sharedFrame((version) => encodeJson(version, head, `{"ids":[${ids}],"data":${text}}`));
    frames.set(key, frame);
    return frame;
  }

  return (change, topic) => {
    if (last?.change !== change || last.topic !== topic) last = { change, topic, frame: find(change, topic) };
    return last.frame;
  };
}
