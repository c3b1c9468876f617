import { JsonError, parseJson } from "../../body/read-json.ts";
import { type FrameBytes, textFrame } from "./frame-bytes.ts";
import { isTooDeep, isTopic, type Frame, type Version } from "./frame.ts";

const MAX_LENGTH = 255;

/** Reads a text frame; undefined if it is not one of this version. */
export function decodeText(version: Version, bytes: Buffer): Frame | undefined {
  const given = parse(bytes);
  if (isTooDeep(given, bytes.length)) return undefined;
  if (version === "1.0.0") {
    if (typeof given !== "object" || given === null) return undefined;
    const { join_ref: joinRef, ref, topic, event, payload }: Record<string, unknown> = { ...given };
    return frameOf(joinRef, ref, topic, event, payload);
  }
  if (!Array.isArray(given) || given.length !== 5) return undefined;
  const [joinRef, ref, topic, event, payload]: unknown[] = given;
  return frameOf(joinRef, ref, topic, event, payload);
}

/** Checks the parts of a frame; without Zod, which would cost more per message. */
function frameOf(joinRef: unknown, ref: unknown, topic: unknown, event: unknown, payload: unknown): Frame | undefined {
  if (!isRef(joinRef) || !isRef(ref)) return undefined;
  if (typeof topic !== "string" || !isTopic(topic)) return undefined;
  if (typeof event !== "string" || event.length > MAX_LENGTH) return undefined;
  return { joinRef: joinRef ?? null, ref: ref ?? null, topic, event, payload };
}

function isRef(ref: unknown): ref is string | null | undefined {
  return ref === null || ref === undefined || (typeof ref === "string" && ref.length <= MAX_LENGTH);
}

/** Writes a frame as text. */
export function encodeText(version: Version, frame: Frame): FrameBytes {
  return encodeJson(version, frame, JSON.stringify(frame.payload));
}

/** Writes a frame whose payload is JSON text already. */
export function encodeJson(version: Version, { joinRef, ref, topic, event }: Omit<Frame, "payload">, payload: string): FrameBytes {
  const head =
    version === "1.0.0" ? JSON.stringify({ topic, event, ref, join_ref: joinRef }) : JSON.stringify([joinRef, ref, topic, event]);
  return textFrame(version === "1.0.0" ? `${head.slice(0, -1)},"payload":${payload}}` : `${head.slice(0, -1)},${payload}]`);
}

function parse(bytes: Buffer): unknown {
  try {
    // `ws` closes a connection with a text frame that is not UTF-8.
    return parseJson(bytes.toString());
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
