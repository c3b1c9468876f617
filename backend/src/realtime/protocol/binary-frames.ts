import { isAscii } from "node:buffer";
import { JsonError, parseJson } from "../../body/read-json.ts";
import { allocateFrame, type FrameBytes } from "./frame-bytes.ts";
import type { Frame, Relay } from "./frame.ts";

// supabase/realtime, `v2_serializer.ex`: Phoenix's kinds 0 to 2 are not used by any client of Supabase.
const PUSH = 3;
const BROADCAST = 4;
const JSON_ENCODING = 1;
const RAW_ENCODING = 0;
const MAX_LENGTH = 255;

/** The lengths in the header of a push: join_ref, ref, topic, event and metadata. */
const PUSH_HEADER = 7;
/** The lengths in the header of a broadcast to clients: topic, event and metadata. */
const BROADCAST_HEADER = 5;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a broadcast that a client sends in a binary frame of version 2.0.0; undefined if it is malformed. The payload is
 * `{type, event, payload}` with JSON or a `Buffer`.
 */
export function decodePush(bytes: Buffer): Frame | undefined {
  if (bytes.length < PUSH_HEADER || bytes[0] !== PUSH) return undefined;
  const encoding = bytes[PUSH_HEADER - 1];
  const [joinRefEnd, refEnd, topicEnd, eventEnd, end] = endsOf(bytes);
  if (end > bytes.length || (encoding !== JSON_ENCODING && encoding !== RAW_ENCODING)) return undefined;
  // Most frames are ASCII, in which a character is a byte: those are decoded at once.
  const text = isAscii(bytes) ? bytes.toString("latin1") : undefined;
  const read = (from: number, to: number): string => text?.slice(from, to) ?? utf8.decode(bytes.subarray(from, to));
  try {
    const joinRef = read(PUSH_HEADER, joinRefEnd);
    const ref = read(joinRefEnd, refEnd);
    const topic = read(refEnd, topicEnd);
    const event = read(topicEnd, eventEnd);
    const metadata = read(eventEnd, end);
    const json = encoding === JSON_ENCODING ? parseJson(read(end, bytes.length)) : undefined;
    const relay = relayOf(bytes, refEnd, end);
    const payload = encoding === JSON_ENCODING ? json : relay.frame.subarray(relay.frame.length - relay.size);
    return {
      joinRef: joinRef || null,
      ref: ref || null,
      topic,
      event: "broadcast",
      payload: metadata === "" ? { type: "broadcast", event, payload } : { type: "broadcast", event, payload, meta: parseJson(metadata) },
      relay,
    };
  } catch (error) {
    // A TypeError is text that is not UTF-8.
    if (error instanceof JsonError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Returns the end of each name of a push. */
function endsOf(bytes: Buffer): [number, number, number, number, number] {
  const joinRef = PUSH_HEADER + (bytes[1] ?? 0);
  const ref = joinRef + (bytes[2] ?? 0);
  const topic = ref + (bytes[3] ?? 0);
  const event = topic + (bytes[4] ?? 0);
  return [joinRef, ref, topic, event, event + (bytes[5] ?? 0)];
}

/** Copies the names and the payload of a push, which are the same bytes in a broadcast to clients; its metadata is not for them. */
function relayOf(bytes: Buffer, topicAt: number, payloadAt: number): Relay {
  const [, , , topicLength = 0, eventLength = 0, metaLength = 0, encoding = 0] = bytes;
  const payloadLength = bytes.length - payloadAt;
  const namesEnd = payloadAt - metaLength;
  const length = BROADCAST_HEADER + topicLength + eventLength + payloadLength;
  const frame = allocateFrame("binary", length);
  const at = frame.length - length;
  frame[at] = BROADCAST;
  frame[at + 1] = topicLength;
  frame[at + 2] = eventLength;
  frame[at + 3] = 0;
  frame[at + 4] = encoding;
  bytes.copy(frame, at + BROADCAST_HEADER, topicAt, namesEnd);
  bytes.copy(frame, frame.length - payloadLength, payloadAt);
  return { frame, size: payloadLength };
}

/** Writes a broadcast of JSON text or bytes for a client of version 2.0.0; undefined if a name is too long for a binary frame. */
export function encodeBroadcast(topic: string, event: string, meta: string, payload: string | Buffer): FrameBytes | undefined {
  const names = [topic, event, meta];
  const lengths = names.map((name) => Buffer.byteLength(name));
  if (lengths.some((length) => length > MAX_LENGTH)) return undefined;
  const head = [BROADCAST, ...lengths, typeof payload === "string" ? JSON_ENCODING : RAW_ENCODING];
  const length = lengths.reduce((sum, one) => sum + one, head.length) + Buffer.byteLength(payload);
  const bytes = allocateFrame("binary", length);
  let at = bytes.length - length;
  for (const byte of head) bytes[at++] = byte;
  for (const name of names) at += bytes.write(name, at);
  if (typeof payload === "string") bytes.write(payload, at);
  else bytes.set(payload, at);
  return bytes;
}
