import { encodeBroadcast } from "./protocol/binary-frames.ts";
import { TOPIC_PREFIX, type Encoded, type Version } from "./protocol/frame.ts";
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

/** Prepares a message for its subscribers. */
export function outgoing(message: Message): Outgoing {
  const { event, payload, meta } = message;
  const isJson = !Buffer.isBuffer(payload);
  // An absent payload is an empty one, as in the client.
  const bytes = isJson ? Buffer.from(JSON.stringify(payload ?? {})) : payload;
  const topic = TOPIC_PREFIX + message.topic;

  function encode(version: Version): Encoded | undefined {
    const binary = version === "2.0.0" && encodeBroadcast(topic, event, meta ? JSON.stringify(meta) : "", { bytes, isJson });
    if (binary) return binary;
    if (!isJson) return undefined;
    const head = JSON.stringify({ type: "broadcast", event, ...(meta ? { meta } : {}) });
    const text = `${head.slice(0, -1)},"payload":${bytes.toString()}}`;
    return encodeJson(version, { joinRef: null, ref: null, topic, event: "broadcast" }, text);
  }

  return { message, size: bytes.length, ...sharedFrame(encode) };
}
