import { isDeeperThan, JsonError, parseJson } from "../../body/read-json.ts";
import { readBytes } from "../../body/read-bytes.ts";
import * as SQLSTATE from "../../sqlstates.ts";
import { RestError, tooLarge } from "../errors.ts";
import { parseCsv } from "./csv.ts";

// Postgres refuses JSON that is too deep for its stack; PGlite crashes.
const MAX_JSON_DEPTH = 1000;

const MAX_KEYS = 1000;

/**
 * Reads a request's body as UTF-8 text, or as a `bytea` literal if it is binary; empty for GET and HEAD. Fails with 413 as soon as
 * it is known to exceed `maxBytes`, or as `count` fails.
 */
export async function readBody(request: Request, maxBytes: number, count: (bytes: number) => void): Promise<string> {
  // `request.body` is slow on the first access, slower than planning a read.
  if (request.method === "GET" || request.method === "HEAD") return "";
  const bytes = await readBytes(request, maxBytes, count);
  if (!bytes) throw tooLarge(`The body is longer than ${maxBytes} bytes`);
  return mediaTypeOf(request.headers.get("content-type")) === "application/octet-stream"
    ? `\\x${bytes.toHex()}`
    : new TextDecoder().decode(bytes);
}

/** A checked request body, passed to Postgres as one text. */
export interface Payload {
  /** The JSON text, or for `kind: "raw"` the unchanged body. */
  text: string;
  kind: "object" | "array" | "other" | "raw";
  /** The fields of a form, which may repeat a name; null for other types. */
  fields: readonly (readonly [name: string, value: string])[] | null;
  /** The types of a function's only argument, without a name, that receives the whole body. */
  receivers: readonly string[];
  /** The keys of the object, or of every object in the array. */
  keys: readonly string[];
  /** The number of objects in an array. */
  rows: number;
}

/** Parses a body by its content type. Fails with PGRST102, or with Postgres's 54001 if it is nested too deep. */
export function parseBody(text: string, contentType: string | null, options: { anyJson: boolean; anyKeys: boolean }): Payload {
  const type = mediaTypeOf(contentType);
  switch (type) {
    case "application/json":
      return { ...parseJsonBody(text, options), fields: null, receivers: ["json", "jsonb"] };
    case "text/csv":
      return { ...payloadOf(parseCsv(text)), fields: null, receivers: [] };
    case "application/x-www-form-urlencoded": {
      const fields = [...new URLSearchParams(text)];
      if (fields.length > MAX_KEYS) throw tooManyKeys();
      return { ...payloadOf(Object.fromEntries(fields)), fields, receivers: [] };
    }
  }
  const receiver = RAW_TYPES.get(type);
  if (receiver === undefined || !options.anyJson) throw new RestError(415, "PGRST102", `Content-Type not acceptable: ${type}`);
  return { text, kind: "raw", keys: [], rows: 0, fields: null, receivers: [receiver] };
}

const RAW_TYPES: ReadonlyMap<string, string> = new Map([
  ["text/plain", "text"],
  ["text/xml", "xml"],
  ["application/octet-stream", "bytea"],
]);

function mediaTypeOf(contentType: string | null): string {
  return (contentType ?? "application/json").split(";")[0]?.trim().toLowerCase() ?? "";
}

type Content = Pick<Payload, "text" | "kind" | "keys" | "rows">;

function payloadOf(value: Record<string, unknown> | readonly Record<string, unknown>[]): Content {
  return toContent(value, JSON.stringify(value), { anyJson: false, anyKeys: true });
}

function parseJsonBody(text: string, options: { anyJson: boolean; anyKeys: boolean }): Content {
  if (options.anyJson && text === "") return { text: "{}", kind: "object", keys: [], rows: 1 };
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    if (cause instanceof JsonError) throw invalidJson(cause);
    throw cause;
  }
  if (isDeeperThan(value, MAX_JSON_DEPTH)) {
    const details = `JSON nested deeper than ${MAX_JSON_DEPTH} levels`;
    throw new RestError(413, SQLSTATE.statementTooComplex, "stack depth limit exceeded", { details });
  }
  return toContent(value, text, options);
}

function toContent(value: unknown, text: string, options: { anyJson: boolean; anyKeys: boolean }): Content {
  if (Array.isArray(value)) {
    const objects = value.filter(isObject);
    const keys = keysOf(objects[0] ?? {});
    if (objects.length === value.length && (options.anyKeys || objects.every((object) => hasSameKeys(object, keys))))
      return { text, kind: "array", keys, rows: objects.length };
    throw new RestError(400, "PGRST102", "All object keys must match");
  }
  if (isObject(value)) return { text, kind: "object", keys: keysOf(value), rows: 1 };
  if (options.anyJson) return { text, kind: "other", keys: [], rows: 0 };
  throw invalidJson();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function keysOf(object: Record<string, unknown>): string[] {
  const keys = Object.keys(object);
  if (keys.length > MAX_KEYS) throw tooManyKeys();
  return keys;
}

function tooManyKeys(): RestError {
  return tooLarge(`An object has more than ${MAX_KEYS} keys`);
}

function hasSameKeys(object: Record<string, unknown>, keys: readonly string[]): boolean {
  return Object.keys(object).length === keys.length && keys.every((key) => Object.hasOwn(object, key));
}

function invalidJson(cause?: unknown): RestError {
  return new RestError(400, "PGRST102", "Empty or invalid json", { cause });
}
