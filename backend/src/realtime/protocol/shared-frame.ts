import type { Encoded, Version } from "./frame.ts";

/** A frame for many clients, written once per version. */
export interface SharedFrame {
  /** Undefined if clients of this version cannot receive it. */
  encoded(version: Version): Encoded | undefined;
}

/** Creates a frame that `encode` writes when the first client of a version needs it. */
export function sharedFrame(encode: (version: Version) => Encoded | undefined): SharedFrame {
  const frames = new Map<Version, Encoded | undefined>();
  return {
    encoded(version) {
      if (!frames.has(version)) frames.set(version, encode(version));
      return frames.get(version);
    },
  };
}
