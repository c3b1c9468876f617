import { encodeBroadcast } from "./protocol/binary-frames.ts";
import type { FrameBytes } from "./protocol/frame-bytes.ts";
import { TOPIC_PREFIX, type Relay, type Version } from "./protocol/frame.ts";
import { sharedFrame, type SharedFrame } from "./protocol/shared-frame.ts";
import { encodeJson } from "./protocol/text-frames.ts";

/** A broadcast on its way to the subscribers of a topic. */
export interface Message {
  /** Without the prefix `realtime:`. */
  topic: string;
  private: boolean;
  event: string;
  /** JSON, or a `Buffer` of raw bytes. */
  payload: unknown;
  /** The id of a stored message, and whether it was sent before the subscriber joined. */
  meta?: { id?: string; replayed?: boolean };
}

/** A message and its frames. Clients of version 1.0.0 cannot receive bytes. */
export interface Outgoing extends SharedFrame {
  message: Message;
  /** The size of the payload in bytes. */
  size: number;
}

/** Prepares a message for its subscribers; `relay` is its frame if a client has written it. */
export function outgoing(message: Message, relay?: Relay): Outgoing {
  const { event, payload, meta } = message;
  // An absent payload is an empty one, as in the client.
  const write = (): string | Buffer => (Buffer.isBuffer(payload) ? payload : JSON.stringify(payload ?? {}));
  const own = payload === null ? undefined : relay;
  let written = own ? undefined : write();

  function encode(version: Version): FrameBytes | undefined {
    if (own && version === "2.0.0") return own.frame;
    const topic = TOPIC_PREFIX + message.topic;
    written ??= write();
    const binary = version === "2.0.0" && encodeBroadcast(topic, event, meta ? JSON.stringify(meta) : "", written);
    if (binary) return binary;
    if (typeof written !== "string") return undefined;
    const head = JSON.stringify({ type: "broadcast", event, ...(meta ? { meta } : {}) });
    const text = `${head.slice(0, -1)},"payload":${written}}`;
    return encodeJson(version, { joinRef: null, ref: null, topic, event: "broadcast" }, text);
  }

  const { encoded } = sharedFrame(encode);
  return { message, size: own ? own.size : Buffer.byteLength(written ?? ""), encoded };
}
