import { parseCsv } from "./csv.ts";
import { RestError } from "../errors.ts";

// Postgres refuses what is too deep for its stack; the embedded one ends of it.
const DEEPEST = 1000;

/** A request's body, checked and ready to go to Postgres as one text. */
export interface Payload {
  /** The JSON text, or for `kind: "raw"` the body as it came. */
  text: string;
  kind: "object" | "array" | "other" | "raw";
  /** The keys of the object, or of every object in the array. */
  keys: readonly string[];
  /** How many objects an array holds. */
  rows: number;
}

/** Makes a payload of a body by its content type. Fails with PGRST102, or with Postgres's 54001 where it is nested too deep. */
export function parseBody(text: string, contentType: string | null, options: { anyJson: boolean; anyKeys: boolean }): Payload {
  const type = (contentType ?? "application/json").split(";")[0]?.trim().toLowerCase() ?? "";
  switch (type) {
    case "application/json":
      return parseJson(text, options);
    case "text/csv":
      return payloadOf(parseCsv(text));
    case "application/x-www-form-urlencoded":
      return payloadOf(Object.fromEntries(new URLSearchParams(text)));
    case "text/plain":
    case "text/xml":
    case "application/octet-stream":
      if (options.anyJson) return { text, kind: "raw", keys: [], rows: 0 };
  }
  throw new RestError(415, "PGRST102", `Content-Type not acceptable: ${type}`);
}

function payloadOf(value: Record<string, unknown> | readonly Record<string, unknown>[]): Payload {
  return shapeOf(value, JSON.stringify(value), { anyJson: false, anyKeys: true });
}

function parseJson(text: string, options: { anyJson: boolean; anyKeys: boolean }): Payload {
  if (options.anyJson && text === "") return { text: "{}", kind: "object", keys: [], rows: 1 };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    // A RangeError is a body nested deeper than the parser's stack.
    if (cause instanceof SyntaxError || cause instanceof RangeError) throw invalidJson(cause);
    throw cause;
  }
  if (!isShallow(value))
    throw new RestError(413, "54001", "stack depth limit exceeded", { details: `JSON nested deeper than ${DEEPEST} levels` });
  return shapeOf(value, text, options);
}

function isShallow(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
    if (level.length === 0) return true;
  }
  return false;
}

function shapeOf(value: unknown, text: string, options: { anyJson: boolean; anyKeys: boolean }): Payload {
  if (Array.isArray(value)) {
    const objects = value.filter(isObject);
    if (objects.length === value.length) {
      const keys = Object.keys(objects[0] ?? {});
      if (options.anyKeys || options.anyJson || objects.every((object) => sameKeys(object, keys)))
        return { text, kind: "array", keys, rows: objects.length };
      throw new RestError(400, "PGRST102", "All object keys must match");
    }
  } else if (isObject(value)) return { text, kind: "object", keys: Object.keys(value), rows: 1 };
  if (options.anyJson) return { text, kind: "other", keys: [], rows: 0 };
  throw invalidJson();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sameKeys(object: Record<string, unknown>, keys: readonly string[]): boolean {
  return Object.keys(object).length === keys.length && keys.every((key) => Object.hasOwn(object, key));
}

function invalidJson(cause?: unknown): RestError {
  return new RestError(400, "PGRST102", "Empty or invalid json", { cause });
}
