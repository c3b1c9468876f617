import { z } from "zod";
import { JsonError, parseJson } from "../../body/read-json.ts";
import { MAX_TOPIC_LENGTH, type Encoded, type Frame, type Version } from "./frame.ts";

const refSchema = z.string().max(255).nullish();
// Postgres cannot store this character.
const topicSchema = z
  .string()
  .max(MAX_TOPIC_LENGTH)
  .refine((topic) => !topic.includes("\0"));
const eventSchema = z.string().max(255);

const objectSchema = z.object({
  topic: topicSchema,
  event: eventSchema,
  payload: z.unknown().optional(),
  ref: refSchema,
  join_ref: refSchema,
});
const arraySchema = z.tuple([refSchema, refSchema, topicSchema, eventSchema, z.unknown()]);

/** Reads a text frame; undefined if it is not one of this version. */
export function decodeText(version: Version, bytes: Buffer): Frame | undefined {
  const given = parse(bytes);
  if (version === "1.0.0") {
    const { data } = objectSchema.safeParse(given);
    return data && { joinRef: data.join_ref ?? null, ref: data.ref ?? null, topic: data.topic, event: data.event, payload: data.payload };
  }
  const { data } = arraySchema.safeParse(given);
  return data && { joinRef: data[0] ?? null, ref: data[1] ?? null, topic: data[2], event: data[3], payload: data[4] };
}

/** Writes a frame as text. */
export function encodeText(version: Version, frame: Frame): Encoded {
  return encodeJson(version, frame, JSON.stringify(frame.payload));
}

/** Writes a frame whose payload is JSON text already. */
export function encodeJson(version: Version, { joinRef, ref, topic, event }: Omit<Frame, "payload">, payload: string): Encoded {
  const head =
    version === "1.0.0" ? JSON.stringify({ topic, event, ref, join_ref: joinRef }) : JSON.stringify([joinRef, ref, topic, event]);
  const text = version === "1.0.0" ? `${head.slice(0, -1)},"payload":${payload}}` : `${head.slice(0, -1)},${payload}]`;
  return { bytes: Buffer.from(text), isBinary: false };
}

function parse(bytes: Buffer): unknown {
  try {
    return parseJson(bytes);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
