import { z } from "zod";
import type { ByteSource } from "../bytes/byte-store.ts";
import { invalidRequest, type StorageError } from "../errors.ts";
import { collect, multipartBoundary, readMultipart } from "./multipart.ts";

/** A file on its way in. */
export interface Incoming {
  /** What its sender calls its type. */
  type: string;
  bytes: ByteSource;
  /** The size its sender announces, where the body is the file itself. */
  announcedSize: number | null;
  /** What was said beside the file; complete only once its bytes have been read. */
  details: IncomingDetails;
}

export interface IncomingDetails {
  cacheControl: string;
  contentEncoding: string | undefined;
  userMetadata: Record<string, unknown> | undefined;
}

const DEFAULT_TYPE = "application/octet-stream";
const NO_CACHE = "no-cache";
const LONGEST_FIELD = 64 * 1024;

/**
 * Hands the file of a request to `receive`: the body itself, or the file of a form, whose fields may stand on both sides of
 * it. Fails with a `StorageError`.
 */
export async function receiveFile<T>(request: Request, receive: (incoming: Incoming) => Promise<T>): Promise<T> {
  const { headers, body } = request;
  const type = headers.get("content-type") ?? DEFAULT_TYPE;
  const boundary = multipartBoundary(type);
  if (!body) throw noContent();
  if (boundary !== undefined) return receiveForm(readMultipart(body, boundary), receive);
  const length = headers.get("content-length");
  const details = {
    cacheControl: writable(headers.get("cache-control") ?? NO_CACHE),
    contentEncoding: encoding(headers.get("content-encoding") ?? ""),
    userMetadata: parseMetadata(Buffer.from(headers.get("x-metadata") ?? "", "base64").toString("utf8")),
  };
  return receive({ type, bytes: body, announcedSize: length === null ? null : Number(length), details });
}

/** A time to cache of so many seconds, as the header says it; no caching for what is no number. */
export function cacheControlFor(seconds: string): string {
  return /^\d+$/.test(seconds) ? `max-age=${seconds}` : NO_CACHE;
}

/** Reads an uploader's own metadata, none from an empty text. Fails with a `StorageError`. */
export function parseMetadata(text: string): Record<string, unknown> | undefined {
  if (text === "") return undefined;
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    throw invalidRequest("The metadata must be a JSON object");
  }
}

/** The refusal of an upload without a single byte. */
export function noContent(): StorageError {
  return invalidRequest("No content provided");
}

async function receiveForm<T>(parts: ReturnType<typeof readMultipart>, receive: (incoming: Incoming) => Promise<T>): Promise<T> {
  const details: IncomingDetails = { cacheControl: NO_CACHE, contentEncoding: undefined, userMetadata: undefined };
  const readField: Record<string, (text: string) => void> = {
    cacheControl: (text) => (details.cacheControl = cacheControlFor(text)),
    contentEncoding: (text) => (details.contentEncoding = encoding(text)),
    metadata: (text) => (details.userMetadata = parseMetadata(text)),
  };

  async function readFields(): Promise<{ type: string; bytes: ByteSource } | undefined> {
    for (;;) {
      const { done, value: part } = await parts.next();
      if (done === true) return undefined;
      if (part.filename !== undefined) return { type: part.type ?? DEFAULT_TYPE, bytes: part.bytes };
      const read = Object.hasOwn(readField, part.name) ? readField[part.name] : undefined;
      const text = (await collect(part.bytes, LONGEST_FIELD)).toString("utf8");
      read?.(text);
    }
  }

  const file = await readFields();
  if (!file) throw noContent();
  return receive({
    type: file.type,
    bytes: thenRead(file.bytes, readFields),
    announcedSize: null,
    details,
  });
}

/** The bytes, and then what comes after them in the form: all of it must have arrived. */
async function* thenRead(bytes: ByteSource, readRest: () => Promise<unknown>): AsyncGenerator<Uint8Array> {
  yield* bytes;
  await readRest();
}

/** A header that was a header once may be one again. */
function writable(header: string): string {
  return /^[\t\u0020-\u007E]{0,200}$/.test(header) ? header : NO_CACHE;
}

/** What may be sent as `Content-Encoding` later; anything else is left out. */
function encoding(text: string): string | undefined {
  return /^[\w-]{1,20}(?:, ?[\w-]{1,20}){0,3}$/.test(text) ? text : undefined;
}
