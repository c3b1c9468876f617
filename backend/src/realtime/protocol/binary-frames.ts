import { isAscii } from "node:buffer";
import { JsonError, parseJson } from "../../body/read-json.ts";
import { allocateFrame, type FrameBytes, headLength, MAX_HEAD, writeHead } from "./frame-bytes.ts";
import { type Frame, isTooDeep, type Relay } from "./frame.ts";

// supabase/realtime, `v2_serializer.ex`: Phoenix's kinds 0 to 2 are not used by any client of Supabase.
const PUSH = 3;
const BROADCAST = 4;
const JSON_ENCODING = 1;
const RAW_ENCODING = 0;
const MAX_LENGTH = 255;
/** The size of a chunk of the network, as a multiple of a push in it, up to which the push is not copied. */
const MAX_CHUNK_RATIO = 8;

/** The lengths in the header of a push: join_ref, ref, topic, event and metadata. */
const PUSH_HEADER = 7;
/** The lengths in the header of a broadcast to clients: topic, event and metadata. */
const BROADCAST_HEADER = 5;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a broadcast that a client sends in a binary frame of version 2.0.0; undefined if it is malformed. The payload is
 * `{type, event, payload}` with JSON or a `Buffer`. The bytes become the frame for other clients.
 */
export function decodePush(bytes: Buffer): Frame | undefined {
  if (bytes.length < PUSH_HEADER || bytes[0] !== PUSH) return undefined;
  const encoding = bytes[PUSH_HEADER - 1];
  // By index: taking an array apart costs more for each message than the rest of the header.
  const joinRefEnd = PUSH_HEADER + (bytes[1] ?? 0);
  const refEnd = joinRefEnd + (bytes[2] ?? 0);
  const topicEnd = refEnd + (bytes[3] ?? 0);
  const eventEnd = topicEnd + (bytes[4] ?? 0);
  const end = eventEnd + (bytes[5] ?? 0);
  if (end > bytes.length || (encoding !== JSON_ENCODING && encoding !== RAW_ENCODING)) return undefined;
  // Most frames are ASCII, in which a character is a byte: those are decoded at once.
  const text = isAscii(bytes) ? bytes.toString("latin1") : undefined;
  try {
    const joinRef = read(bytes, text, PUSH_HEADER, joinRefEnd);
    const ref = read(bytes, text, joinRefEnd, refEnd);
    const topic = read(bytes, text, refEnd, topicEnd);
    const event = read(bytes, text, topicEnd, eventEnd);
    const metadata = read(bytes, text, eventEnd, end);
    const meta = metadata === "" ? undefined : parseJson(metadata);
    const json = encoding === JSON_ENCODING ? parseJson(read(bytes, text, end, bytes.length)) : undefined;
    if (isTooDeep(json, bytes.length)) return undefined;
    const relay = relayOf(bytes, refEnd, topicEnd, eventEnd, end);
    const payload = encoding === JSON_ENCODING ? json : relay.frame.subarray(relay.frame.length - relay.size);
    return {
      joinRef: joinRef || null,
      ref: ref || null,
      topic,
      event: "broadcast",
      payload: metadata === "" ? { type: "broadcast", event, payload } : { type: "broadcast", event, payload, meta },
      relay,
    };
  } catch (error) {
    // A TypeError is text that is not UTF-8.
    if (error instanceof JsonError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function read(bytes: Buffer, ascii: string | undefined, from: number, to: number): string {
  return ascii?.slice(from, to) ?? utf8.decode(bytes.subarray(from, to));
}

/**
 * Makes a broadcast to clients of a push, in place: the topic, the event and the payload are the same bytes, and a push mostly has a longer
 * head. Its metadata is not for clients.
 */
function relayOf(push: Buffer, topicAt: number, topicEnd: number, eventEnd: number, payloadAt: number): Relay {
  const encoding = push[PUSH_HEADER - 1] ?? 0;
  const size = push.length - payloadAt;
  const names = eventEnd - topicAt;
  const length = BROADCAST_HEADER + names + size;
  // A waiting frame keeps its whole chunk of the network in memory. The head of a long frame may need more room.
  const isInPlace = push.length >= length + headLength(length) && push.buffer.byteLength <= MAX_CHUNK_RATIO * push.length;
  const bytes = isInPlace ? push : Buffer.concat([Buffer.alloc(MAX_HEAD), push]);
  const moved = bytes.length - push.length;
  if (eventEnd < payloadAt) bytes.copyWithin(moved + payloadAt - names, moved + topicAt, moved + eventEnd);
  const frame = bytes.subarray(bytes.length - length - headLength(length));
  writeHead(frame, "binary", length);
  const header = frame.length - length;
  frame[header] = BROADCAST;
  frame[header + 1] = topicEnd - topicAt;
  frame[header + 2] = eventEnd - topicEnd;
  frame[header + 3] = 0;
  frame[header + 4] = encoding;
  return { frame, size };
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
