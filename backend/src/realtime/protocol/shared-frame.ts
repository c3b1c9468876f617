import type { FrameBytes } from "./frame-bytes.ts";
import type { Version } from "./frame.ts";

/** A frame for many clients, written once per version. */
export interface SharedFrame {
  /** Undefined if clients of this version cannot receive it. */
  encoded(version: Version): FrameBytes | undefined;
}

/** Creates a frame that `encode` writes when the first client of a version needs it. */
export function sharedFrame(encode: (version: Version) => FrameBytes | undefined): SharedFrame {
  const frames = new Map<Version, FrameBytes | undefined>();
  return {
    encoded(version) {
      if (!frames.has(version)) frames.set(version, encode(version));
      return frames.get(version);
    },
  };
}
