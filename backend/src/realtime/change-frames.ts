import { sharedFrame, type SharedFrame } from "./protocol/shared-frame.ts";
import { encodeJson } from "./protocol/text-frames.ts";

/**
 * Returns the frame of a database change for the subscribers of a topic (with its prefix) whose requests have these ids. `data` is the
 * same object for equal subscribers, so a frame is written once for all of them.
 */
export type FrameOfChange = (data: object, ids: readonly number[], topic: string) => SharedFrame;

interface Written {
  text: string;
  frames: Map<string, SharedFrame>;
}

/** Creates the function that writes frames of changes and keeps them as long as their `data`. */
export function createChangeFrames(): FrameOfChange {
  const written = new WeakMap<object, Written>();
  return (data, ids, topic) => {
    const known = written.get(data) ?? { text: JSON.stringify(data), frames: new Map() };
    written.set(data, known);
    const { text, frames } = known;
    const key = `${ids.join()} ${topic}`;
    const head = { joinRef: null, ref: null, topic, event: "postgres_changes" };
    const frame = frames.get(key) ?? sharedFrame((version) => encodeJson(version, head, `{"ids":${JSON.stringify(ids)},"data":${text}}`));
    frames.set(key, frame);
    return frame;
  };
}
