import { isDeeperThan } from "../../body/read-json.ts";
import type { FrameBytes } from "./frame-bytes.ts";

/** The versions of the Phoenix protocol: objects as JSON text, or arrays as JSON text and binary broadcasts. */
export type Version = "1.0.0" | "2.0.0";

/** A message of the Phoenix protocol; `payload` is JSON, or bytes inside a binary broadcast. */
export interface Frame {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: unknown;
  /** A binary broadcast of a client as the frame that the clients of version 2.0.0 receive. */
  relay?: Relay;
}

export interface Relay {
  frame: FrameBytes;
  /** The size of the payload in bytes. */
  size: number;
}

/** Every topic of the wire starts with this. */
export const TOPIC_PREFIX = "realtime:";
/** Binary frames limit their topics to 255 bytes. */
const MAX_TOPIC_LENGTH = 1000;

/** True if a topic is short enough and the database can store it, which it cannot with a zero byte. */
export function isTopic(text: string): boolean {
  return text.length <= MAX_TOPIC_LENGTH && !text.includes("\0");
}

/** Writing an object as JSON fails at a few thousand levels. */
const MAX_LEVELS = 500;

/** True if a value, whose JSON has at most `length` bytes, is nested deeper than the service can write it again. */
export function isTooDeep(value: unknown, length = Number.POSITIVE_INFINITY): boolean {
  // Each level takes two bytes.
  return length > 2 * MAX_LEVELS && isDeeperThan(value, MAX_LEVELS);
}
