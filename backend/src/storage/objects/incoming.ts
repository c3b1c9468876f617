import { z } from "zod";
import type { ByteSource } from "../bytes/byte-store.ts";
import { invalidRequest, type StorageError } from "../errors.ts";
import { collect, multipartBoundary, readMultipart } from "./multipart.ts";

/** A file that is being uploaded. */
export interface Incoming {
  /** The type that the client states. */
  type: string;
  bytes: ByteSource;
  /** The size that the client states; null in a form. */
  announcedSize: number | null;
  /** Metadata of the upload; complete once the bytes have been read, because form fields may follow the file. */
  details: IncomingDetails;
}

interface IncomingDetails {
  cacheControl: string;
  contentEncoding: string | undefined;
  userMetadata: Record<string, unknown> | undefined;
}

const DEFAULT_TYPE = "application/octet-stream";
const NO_CACHE = "no-cache";
const LONGEST_FIELD = 64 * 1024;

/**
 * Passes the file of a request to `receive`: the body itself or the file of a form, with fields before and after it. Fails with a `StorageError`.
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
    userMetadata: readMetadataHeader(headers),
  };
  return receive({ type, bytes: body, announcedSize: length === null ? null : Number(length), details });
}

/** The `Cache-Control` header for a number of seconds; `no-cache` for other text. */
export function cacheControlFor(seconds: string): string {
  return /^\d+$/.test(seconds) ? `max-age=${seconds}` : NO_CACHE;
}

/** Reads user metadata from the header `x-metadata`, JSON in base64; undefined without it. Fails with a `StorageError`. */
export function readMetadataHeader(headers: Headers): Record<string, unknown> | undefined {
  return parseMetadata(Buffer.from(headers.get("x-metadata") ?? "", "base64").toString("utf8"));
}

/** Parses user metadata; undefined for an empty text. Fails with a `StorageError`. */
export function parseMetadata(text: string): Record<string, unknown> | undefined {
  if (text === "") return undefined;
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    throw invalidRequest("The metadata must be a JSON object");
  }
}

/** The error for an upload without content. */
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

/** Yields the bytes, then reads the rest of the form, which must arrive as well. */
async function* thenRead(bytes: ByteSource, readRest: () => Promise<unknown>): AsyncGenerator<Uint8Array> {
  yield* bytes;
  await readRest();
}

/** Only stores values that are valid header text. */
function writable(header: string): string {
  return /^[\t\u0020-\u007E]{0,200}$/.test(header) ? header : NO_CACHE;
}

/** Returns a valid `Content-Encoding`; undefined for other text. */
function encoding(text: string): string | undefined {
  return /^[\w-]{1,20}(?:, ?[\w-]{1,20}){0,3}$/.test(text) ? text : undefined;
}
