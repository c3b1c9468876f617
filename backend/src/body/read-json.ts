import type { z } from "zod";
import { readBytes } from "./read-bytes.ts";

/** The longest JSON body by default, in bytes: parsing a longer one delays all other requests. */
const MAX_BYTES = 64 * 1024;
/** The longest JSON body of an administrator or of a caller who sends lists, in bytes. */
export const LONG_JSON_BYTES = 1024 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** A body that is not acceptable JSON. Each API turns it into its own error response. */
export class JsonError extends Error {
  override readonly name = "JsonError";
  readonly reason: "too_large" | "invalid" | "wrong_shape";
  /** The schema errors of a body of the wrong shape. */
  readonly issues: readonly z.core.$ZodIssue[];

  constructor(reason: JsonError["reason"], message: string, more: { cause?: unknown; issues?: readonly z.core.$ZodIssue[] } = {}) {
    super(message, { cause: more.cause });
    this.reason = reason;
    this.issues = more.issues ?? [];
  }
}

interface ReadJsonOptions {
  /** Replaces a body without bytes. */
  empty?: unknown;
  maxBytes?: number;
}

/**
 * Reads a JSON body that matches `schema`, of at most 64 KiB by default. Fails with a `JsonError`. Edge functions use it too, also on a
 * hosted project.
 */
export async function readJson<T>(
  request: Request,
  schema: z.ZodType<T>,
  { empty, maxBytes = MAX_BYTES }: ReadJsonOptions = {},
): Promise<T> {
  const bytes = await readBytes(request, maxBytes);
  if (!bytes) throw new JsonError("too_large", `Request body is larger than ${maxBytes / 1024} KiB`);
  const parsed = schema.safeParse(bytes.byteLength === 0 && empty !== undefined ? empty : parseJson(bytes));
  if (parsed.success) return parsed.data;
  throw new JsonError("wrong_shape", "Request body has the wrong shape", { issues: parsed.error.issues });
}

/** Returns a `JsonError` and throws any other error; a handler for `catch`. */
export function expectJsonError(error: unknown): JsonError {
  if (error instanceof JsonError) return error;
  throw error;
}

/** Parses JSON from text or UTF-8 bytes. Fails with a `JsonError`. */
export function parseJson(given: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof given === "string" ? given : utf8.decode(given));
  } catch (cause) {
    // A TypeError is invalid UTF-8; a RangeError is nesting that exceeds the parser's stack.
    if (cause instanceof SyntaxError || cause instanceof TypeError || cause instanceof RangeError)
      throw new JsonError("invalid", "not valid JSON", { cause });
    throw cause;
  }
}

/** Returns true if arrays and objects are nested more than `levels` deep. Does not recurse, so any depth is safe. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level = [value];
  for (let depth = 0; depth <= levels; depth += 1) {
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
    if (level.length === 0) return false;
  }
  return true;
}
