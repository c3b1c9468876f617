import { create } from "content-disposition";
import parseRange from "range-parser";
import type { ByteRange, ByteStore } from "../bytes/byte-store.ts";
import { StorageError } from "../errors.ts";
import { secureFile } from "../../file-headers.ts";
import { withCurrentBytes } from "./object-rows.ts";
import type { StoredObject } from "./stored-object.ts";
import { bareType } from "./content-type.ts";
import { isRangeWanted, isUnchanged } from "./preconditions.ts";

interface Serving {
  request: Request;
  /** The `download` parameter; empty for the object's own name. */
  download: string | null;
  /** Expiry of the link, and so of the response. */
  expires?: Date;
}

/** Serves an object or the requested range. Fails with a `StorageError` for a range outside of the object, or if its bytes are missing. */
async function serveObject(bytes: ByteStore, object: StoredObject, serving: Serving): Promise<Response> {
  const { request } = serving;
  const headers = headersOf(object, serving);
  if (isUnchanged(request.headers, object)) return new Response(null, { status: 304, headers });
  const range = wantedRange(request.headers, object);
  headers.set("Content-Length", String(range ? range.end - range.start + 1 : object.size));
  if (range) headers.set("Content-Range", `bytes ${range.start}-${range.end}/${object.size}`);
  const status = range ? 206 : 200;
  if (request.method === "HEAD") return new Response(null, { status, headers });
  // The size is known, so the file need not be read for it.
  const body = await bytes.read(object.version, range ?? wholeOf(object));
  if (!body) throw new StorageError("NoSuchKey");
  return new Response(body, { status, headers });
}

/** Serves the object that `find` returns. */
export function serveFound(bytes: ByteStore, find: () => Promise<StoredObject>, serving: Serving): Promise<Response> {
  return withCurrentBytes(find, (object) => serveObject(bytes, object, serving));
}

function headersOf({ mimetype, eTag, cacheControl, lastModified, contentEncoding }: StoredObject, { download, expires }: Serving): Headers {
  const headers = new Headers();
  const type = bareType(mimetype);
  headers.set("Content-Type", mimetype);
  const isShown = secureFile(headers, type);
  headers.set("Accept-Ranges", "bytes");
  headers.set("ETag", eTag);
  headers.set("Last-Modified", lastModified.toUTCString());
  if (contentEncoding !== null) headers.set("Content-Encoding", contentEncoding);
  if (expires) headers.set("Expires", expires.toUTCString());
  else headers.set("Cache-Control", cacheControl);
  if (download !== null || !isShown)
    headers.set("Content-Disposition", create(download === null || download === "" ? undefined : download));
  return headers;
}

function wantedRange(headers: Headers, object: StoredObject): ByteRange | undefined {
  const range = headers.get("range");
  if (range === null || !isRangeWanted(headers, object)) return undefined;
  const ranges = parseRange(object.size, range);
  if (ranges === UNSATISFIABLE) throw new StorageError("InvalidRange", { httpStatus: 416 });
  // Several ranges and malformed ones are answered with the whole object, as RFC 9110, section 14.2 allows.
  if (ranges === MALFORMED || ranges.type !== "bytes" || ranges.length !== 1) return undefined;
  return ranges[0];
}

function wholeOf({ size }: StoredObject): ByteRange | undefined {
  return size > 0 ? { start: 0, end: size - 1 } : undefined;
}

const UNSATISFIABLE = -1;
const MALFORMED = -2;
