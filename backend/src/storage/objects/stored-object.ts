import type { ByteStore } from "../bytes/byte-store.ts";

/** An object as its row describes it. */
export interface StoredObject {
  id: string;
  bucketId: string;
  name: string;
  /** The key of its bytes. */
  version: string;
  size: number;
  /** From the content where it is recognised, else as the uploader said. */
  mimetype: string;
  /** With its quotes. */
  eTag: string;
  cacheControl: string;
  contentEncoding: string | null;
  lastModified: Date;
}

/**
 * Answers a request below `/render/image` for an object that its caller may read; `parameters` holds `width`, `height`,
 * `resize`, `quality` and `format` of the query or of the signed link, and `client` is the client network or null for the
 * server itself. Fails with a `StorageError`.
 */
export type RenderImage = (
  object: StoredObject,
  parameters: URLSearchParams,
  request: Request,
  bytes: ByteStore,
  client: string | null,
) => Promise<Response>;
