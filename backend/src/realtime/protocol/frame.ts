/** The versions of the Phoenix protocol: objects as JSON text, or arrays as JSON text and binary broadcasts. */
export type Version = "1.0.0" | "2.0.0";

/** A message of the Phoenix protocol; `payload` is JSON, or bytes inside a binary broadcast. */
export interface Frame {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: unknown;
}

/** Every topic of the wire starts with this. */
export const TOPIC_PREFIX = "realtime:";
/** A longer topic is not accepted; one of a binary frame has at most 255 bytes. */
export const MAX_TOPIC_LENGTH = 1000;
