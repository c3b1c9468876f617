import { create } from "content-disposition";
import parseRange from "range-parser";
import type { ByteRange, ByteStore } from "../bytes/byte-store.ts";
import { CORS_HEADERS } from "../../cors.ts";
import { noSuchKey, StorageError } from "../errors.ts";
import type { StoredObject } from "./stored-object.ts";
import { bareType } from "./content-type.ts";
import { isRangeWanted, isUnchanged } from "./preconditions.ts";

export interface Serving {
  request: Request;
  /** The `download` parameter: null without one, empty for the object's own name. */
  download: string | null;
  /** When the link ends, for an answer that must not be kept longer. */
  expires?: Date;
}

/**
 * Answers with an object's bytes, or those of the range asked for. Null where its bytes are gone: the row read was an old
 * one. Fails with a `StorageError` for a range that is not there.
 */
export async function serveObject(bytes: ByteStore, object: StoredObject, serving: Serving): Promise<Response | null> {
  const { request } = serving;
  const headers = headersOf(object, serving);
  if (isUnchanged(request.headers, object)) return new Response(null, { status: 304, headers });
  const range = wantedRange(request.headers, object);
  headers.set("Content-Length", String(range ? range.end - range.start + 1 : object.size));
  if (range) headers.set("Content-Range", `bytes ${range.start}-${range.end}/${object.size}`);
  const status = range ? 206 : 200;
  if (request.method === "HEAD") return new Response(null, { status, headers });
  // With its size, which is known, the file need not be asked for it.
  const body = await bytes.read(object.version, range ?? wholeOf(object));
  return body && new Response(body, { status, headers });
}

/**
 * Serves what `find` finds, and looks a second time where the bytes are gone meanwhile: somebody has put others in their
 * place between the two.
 */
export async function serveFound(bytes: ByteStore, find: () => Promise<StoredObject>, serving: Serving): Promise<Response> {
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const response = await serveObject(bytes, await find(), serving);
    if (response) return response;
  }
  throw noSuchKey();
}

// What a browser would run in our name: on a page's origin it is downloaded, and runs nothing wherever it is opened.
const ACTIVE = /^(?:text\/html|text\/xml|application\/xml|application\/xhtml\+xml|image\/svg\+xml|[\w.-]+\/[\w.-]+\+xml)$/;
// What a page's policy of scripts and styles from its own origin would let in.
const LOADABLE = /^(?:(?:application|text)\/(?:x-)?(?:java|ecma|live|j)script[\d.]*|text\/css)$/;
const SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

function headersOf({ mimetype, eTag, cacheControl, lastModified, contentEncoding }: StoredObject, { download, expires }: Serving): Headers {
  const headers = new Headers(CORS_HEADERS);
  const type = bareType(mimetype);
  headers.set("Content-Type", LOADABLE.test(type) ? "text/plain; charset=utf-8" : mimetype);
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Accept-Ranges", "bytes");
  headers.set("ETag", eTag);
  headers.set("Last-Modified", lastModified.toUTCString());
  if (contentEncoding !== null) headers.set("Content-Encoding", contentEncoding);
  if (expires) headers.set("Expires", expires.toUTCString());
  else headers.set("Cache-Control", cacheControl);
  const isActive = ACTIVE.test(type);
  if (isActive) headers.set("Content-Security-Policy", SANDBOX);
  if (download !== null || isActive)
    headers.set("Content-Disposition", create(download === null || download === "" ? undefined : download));
  return headers;
}

function wantedRange(headers: Headers, object: StoredObject): ByteRange | undefined {
  const asked = headers.get("range");
  if (asked === null || !isRangeWanted(headers, object)) return undefined;
  const ranges = parseRange(object.size, asked);
  if (ranges === UNSATISFIABLE) throw new StorageError("InvalidRange", 416, "invalid_range", "invalid range provided", { httpStatus: 416 });
  // Several ranges at once are answered with all of it, as RFC 9110, section 14.2 allows; and so is what is no range.
  if (ranges === MALFORMED || ranges.type !== "bytes" || ranges.length !== 1) return undefined;
  return ranges[0];
}

function wholeOf({ size }: StoredObject): ByteRange | undefined {
  return size > 0 ? { start: 0, end: size - 1 } : undefined;
}

const UNSATISFIABLE = -1;
const MALFORMED = -2;
