import { encodeBroadcast } from "./protocol/binary-frames.ts";
import { TOPIC_PREFIX, type Encoded, type Version } from "./protocol/frame.ts";
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

/** A message and its frames, each written once for all subscribers of one version. */
export interface Outgoing {
  message: Message;
  /** The size of the payload in bytes. */
  size: number;
  /** The frame; undefined if clients of this version cannot receive it, which is so for bytes and version 1.0.0. */
  encoded(version: Version): Encoded | undefined;
}

/** Prepares a message for its subscribers. */
export function outgoing(message: Message): Outgoing {
  const { event, payload, meta } = message;
  const isJson = !Buffer.isBuffer(payload);
  // An absent payload is an empty one, as in the client.
  const bytes = isJson ? Buffer.from(JSON.stringify(payload ?? {})) : payload;
  const topic = TOPIC_PREFIX + message.topic;
  const frames = new Map<Version, Encoded | undefined>();

  function encode(version: Version): Encoded | undefined {
    const binary = version === "2.0.0" && encodeBroadcast(topic, event, meta ? JSON.stringify(meta) : "", { bytes, isJson });
    if (binary) return binary;
    if (!isJson) return undefined;
    const head = JSON.stringify({ type: "broadcast", event, ...(meta ? { meta } : {}) });
    const text = `${head.slice(0, -1)},"payload":${bytes.toString()}}`;
    return encodeJson(version, { joinRef: null, ref: null, topic, event: "broadcast" }, text);
  }

  return {
    message,
    size: bytes.length,
    encoded(version) {
      if (!frames.has(version)) frames.set(version, encode(version));
      return frames.get(version);
    },
  };
}
