import type { ByteStore } from "./bytes/byte-store.ts";

/** An object as its row describes it, seen by somebody who may read it. */
export interface StoredObject {
  id: string;
  bucketId: string;
  name: string;
  /** The key of its bytes. */
  version: string;
  size: number;
  /** By content where the content tells, else as its uploader said. */
  mimetype: string;
  /** With its quotes. */
  eTag: string;
  cacheControl: string;
  contentEncoding: string | null;
  lastModified: Date;
}

/**
 * Answers a request below `/render/image` for an object that its caller may read; `transform` holds `width`, `height`,
 * `resize`, `quality` and `format` as they were asked for, or signed. Fails with a `StorageError`.
 */
export type RenderImage = (object: StoredObject, transform: URLSearchParams, request: Request, bytes: ByteStore) => Promise<Response>;
