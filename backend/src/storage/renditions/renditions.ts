import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { secureFile } from "../../file-headers.ts";
import { HOUR_MS } from "../../jobs.ts";
import { createWorkerPool, type RunOptions } from "../../images/image-worker-pool.ts";
import type { ByteStore } from "../bytes/byte-store.ts";
import { openDiskBytes } from "../bytes/disk.ts";
import { StorageError } from "../errors.ts";
import { isUnchanged } from "../objects/preconditions.ts";
import type { RenderImage, StoredObject } from "../objects/stored-object.ts";
import type { RenderFailure, RenderResult, RenderTask } from "./render.ts";
import { type CachedBytes, createRenditionCache, type RenditionCache } from "./rendition-cache.ts";
import { createSingleFlight } from "./single-flight.ts";
import { chooseFormat, type Format, readTransform, transformName } from "./transform.ts";

const MAX_CACHE_BYTES = 256 * 1024 * 1024;
const LEFTOVER_AGE_MS = HOUR_MS;
// Limit of a hosted project: https://supabase.com/docs/guides/storage/serving/image-transformations
const MAX_SOURCE_BYTES = 25_000_000;

/** Renditions of stored images: scaled to a width or height, in the format a browser accepts. */
export interface Renditions {
  render: RenderImage;
  /** Removes the cached renditions of these object versions. */
  forget(versions: readonly string[]): Promise<void>;
  /** Removes the cached renditions of unknown object versions. */
  sweep: RenditionCache["sweep"];
  close(): Promise<void>;
}

interface RenditionOptions {
  /** The directory of the rendition cache; it may be deleted while the process does not run. */
  directory: string;
  log: Logger;
}

/** Opens the rendition cache and a pool of image workers, which start with the first rendition. */
export async function openRenditions({ directory, log }: RenditionOptions): Promise<Renditions> {
  const cached = openDiskBytes(directory);
  await cached.removeUnfinished(new Date(Date.now() - LEFTOVER_AGE_MS));
  const cache = await createRenditionCache(cached, MAX_CACHE_BYTES);
  const workDirectory = await openWorkDirectory(join(directory, "work"));
  const pool = createWorkerPool<RenderTask, RenderResult>(new URL("./worker.ts", import.meta.url));
  const once = createSingleFlight();

  async function renderToCache(
    object: StoredObject,
    key: string,
    task: Pick<RenderTask, "transform" | "format">,
    bytes: ByteStore,
    options: RunOptions,
  ): Promise<void> {
    const source = join(workDirectory, crypto.randomUUID());
    const target = `${source}-rendition`;
    try {
      const result = await pool.run(async () => {
        if (!(await bytes.copyToFile(object.version, source))) throw new StorageError("NoSuchKey");
        return { source, target, ...task };
      }, options);
      if (result === null) throw new StorageError("SlowDown");
      if ("rendered" in result) return await cache.store(object.version, key, createReadStream(target));
      if (result.failure === "failed") throw new Error(`An image could not be rendered: ${result.reason}`);
      log.info({ bucket: object.bucketId, failure: result.failure, reason: result.reason }, "image not rendered");
      throw notRendered(MESSAGES[result.failure]);
    } finally {
      await Promise.all([rm(source, { force: true }), rm(target, { force: true })]);
    }
  }

  return {
    async render(object, parameters, request, bytes, client) {
      const transform = readTransform(parameters);
      const format = chooseFormat(transform, object.mimetype, request.headers.get("accept"));
      const name = transformName(transform);
      const key = `${name} ${format}`;
      const eTag = eTagOf(`${object.version} ${key}`);
      const headers = headersOf(object, name, format, eTag);
      if (isUnchanged(request.headers, { ...object, eTag })) return new Response(null, { status: 304, headers });
      if (object.size > MAX_SOURCE_BYTES) throw notRendered(`The image is larger than ${MAX_SOURCE_BYTES / 1_000_000} MB.`);

      let body: CachedBytes | null = await cache.read(object.version, key);
      if (!body) {
        const render = (signal: AbortSignal): Promise<void> => renderToCache(object, key, { transform, format }, bytes, { signal, client });
        await once(`${object.version} ${key}`, render, request.signal);
        body = await cache.read(object.version, key);
      }
      if (!body) throw new Error("A rendition was evicted before it could be sent.");
      if (body instanceof Uint8Array) headers.set("Content-Length", String(body.byteLength));
      if (request.method === "HEAD") {
        if (body instanceof ReadableStream) await body.cancel();
        return new Response(null, { headers });
      }
      return new Response(body, { headers });
    },
    forget: cache.forget,
    sweep: cache.sweep,
    close: pool.close,
  };
}

const MESSAGES: Record<RenderFailure | "too_slow", string> = {
  not_an_image: "The object is not an image that can be rendered: only JPEG, PNG, WebP, AVIF and GIF can.",
  too_many_pixels: "The image has more than 50 million pixels.",
  broken: "The image is broken.",
  too_slow: "The image takes too long to render.",
};

function notRendered(message: string): StorageError {
  return new StorageError("ImageProcessingError", { message });
}

function headersOf({ cacheControl, lastModified }: StoredObject, name: string, format: Format, eTag: string): Headers {
  const headers = new Headers();
  headers.set("Content-Type", `image/${format}`);
  headers.set("Cache-Control", cacheControl);
  headers.set("ETag", eTag);
  headers.set("Last-Modified", lastModified.toUTCString());
  headers.set("Vary", "Accept");
  secureFile(headers, `image/${format}`);
  if (name !== "") headers.set("X-Transformations", name);
  return headers;
}

function eTagOf(text: string): string {
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
}

/** Makes the directory and removes the files that a killed process left; younger files may belong to another process. */
async function openWorkDirectory(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs < Date.now() - LEFTOVER_AGE_MS) await rm(path, { force: true });
  }
  return directory;
}
