import type { FrameBytes } from "./frame-bytes.ts";
import type { Version } from "./frame.ts";

/** A frame for many clients, written once per version. */
export interface SharedFrame {
  /** Undefined if clients of this version cannot receive it. */
  encoded(version: Version): FrameBytes | undefined;
}

/** Creates a frame that `encode` writes when the first client of a version needs it. */
export function sharedFrame(encode: (version: Version) => FrameBytes | undefined): SharedFrame {
  // Null if there is none. Two variables, because a Map for each message costs more than the rest of it.
  let first: FrameBytes | null | undefined;
  let second: FrameBytes | null | undefined;
  return {
    encoded(version) {
      if (version === "1.0.0") {
        if (first === undefined) first = encode(version) ?? null;
        return first ?? undefined;
      }
      if (second === undefined) second = encode(version) ?? null;
      return second ?? undefined;
    },
  };
}
