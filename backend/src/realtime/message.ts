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
  /** The transaction that stored it, for a message of SQL that was not replayed. */
  transaction?: number | null;
}

/** A message and its frames. Clients of version 1.0.0 cannot receive bytes. */
export interface Outgoing extends SharedFrame {
  message: Message;
  /** The size of the payload in bytes. */
  size: number;
}

/** Prepares a message for its subscribers; `relay` is its frame if a client has written it. */
export function outgoing(message: Message, relay?: Relay): Outgoing {
  return new Broadcast(message, message.payload === null ? undefined : relay);
}

/** A class, because closures for each message cost more than the rest of it. */
class Broadcast implements Outgoing {
  readonly message: Message;
  readonly size: number;
  readonly #relay: Relay | undefined;
  #written: string | Buffer | undefined;
  #frames: SharedFrame | undefined;

  constructor(message: Message, relay: Relay | undefined) {
    this.message = message;
    this.#relay = relay;
    this.size = relay ? relay.size : Buffer.byteLength(this.#write());
  }

  encoded(version: Version): FrameBytes | undefined {
    if (this.#relay && version === "2.0.0") return this.#relay.frame;
    this.#frames ??= sharedFrame((of) => this.#encode(of));
    return this.#frames.encoded(version);
  }

  #encode(version: Version): FrameBytes | undefined {
    const { event, meta } = this.message;
    const topic = TOPIC_PREFIX + this.message.topic;
    const written = this.#write();
    const binary = version === "2.0.0" && encodeBroadcast(topic, event, meta ? JSON.stringify(meta) : "", written);
    if (binary) return binary;
    if (typeof written !== "string") return undefined;
    const head = JSON.stringify({ type: "broadcast", event, ...(meta ? { meta } : {}) });
    const text = `${head.slice(0, -1)},"payload":${written}}`;
    return encodeJson(version, { joinRef: null, ref: null, topic, event: "broadcast" }, text);
  }

  #write(): string | Buffer {
    const { payload } = this.message;
    // An absent payload is an empty one, as in the client.
    return (this.#written ??= Buffer.isBuffer(payload) ? payload : JSON.stringify(payload ?? {}));
  }
}
