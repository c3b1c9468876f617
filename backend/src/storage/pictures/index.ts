import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { createDrawer } from "../../image-worker-pool.ts";
import { openDiskBytes } from "../bytes/disk.ts";
import { CORS_HEADERS } from "../cors.ts";
import { isUnchanged } from "../objects/preconditions.ts";
import type { RenderImage, StoredObject } from "../rendering.ts";
import { createPictureCache } from "./cache.ts";
import type { DrawAnswer, DrawOrder } from "./drawing.ts";
import { chosenFormat, type Format } from "./format.ts";
import { createGallery } from "./gallery.ts";
import { readTransform, transformName } from "./transform.ts";

const MOST_KEPT_BYTES = 256 * 1024 * 1024;
const LEFT_OVER_MS = 3_600_000;

/** Pictures of stored objects, drawn in the size and format that is asked for. */
export interface Pictures {
  render: RenderImage;
  /** Removes what was drawn from these versions of objects. */
  forget(versions: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export interface PicturesOptions {
  /** Where drawn pictures are kept; they may be removed at any time while the process does not run. */
  directory: string;
  /** How many bytes of them are kept. */
  mostKeptBytes?: number;
  log: Logger;
}

/** Opens the pictures; nothing of what draws is loaded before the first one is asked for. */
export async function openPictures({ directory, mostKeptBytes = MOST_KEPT_BYTES, log }: PicturesOptions): Promise<Pictures> {
  const bytes = openDiskBytes(directory);
  await bytes.removeUnfinished(new Date(Date.now() - LEFT_OVER_MS));
  const cache = await createPictureCache(bytes, mostKeptBytes);
  const desk = await clearedDesk(join(directory, "desk"));
  const drawer = createDrawer<DrawOrder, DrawAnswer>(new URL("./draw-process.ts", import.meta.url));
  const gallery = createGallery({ cache, drawer, desk, log });
  return {
    async render(object, asked, request, source) {
      const transform = readTransform(asked);
      const format = chosenFormat(transform, object.mimetype, request.headers.get("accept"));
      const name = transformName(transform);
      const eTag = tagOf(`${object.version} ${name} ${format}`);
      const headers = headersOf(object, { name, format, eTag });
      if (isUnchanged(request.headers, { ...object, eTag })) return new Response(null, { status: 304, headers });
      const body = await gallery.drawn({ object, transform, format, key: `${name} ${format}`, bytes: source }, request.signal);
      if (body instanceof Uint8Array) headers.set("Content-Length", String(body.byteLength));
      return new Response(body, { headers });
    },
    forget: cache.forget,
    close: drawer.close,
  };
}

interface Drawn {
  name: string;
  format: Format;
  eTag: string;
}

function headersOf({ cacheControl, lastModified }: StoredObject, { name, format, eTag }: Drawn): Headers {
  const headers = new Headers(CORS_HEADERS);
  headers.set("Content-Type", `image/${format}`);
  headers.set("Cache-Control", cacheControl);
  headers.set("ETag", eTag);
  headers.set("Last-Modified", lastModified.toUTCString());
  headers.set("Vary", "Accept");
  headers.set("X-Content-Type-Options", "nosniff");
  if (name !== "") headers.set("X-Transformations", name);
  return headers;
}

function tagOf(text: string): string {
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
}

/** Makes a directory, or removes from it what a process that was killed has left. */
async function clearedDesk(desk: string): Promise<string> {
  await mkdir(desk, { recursive: true, mode: 0o700 });
  for (const name of await readdir(desk)) {
    const path = join(desk, name);
    // Another process may share the directory and be at work there.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found && found.mtimeMs < Date.now() - LEFT_OVER_MS) await rm(path, { force: true });
  }
  return desk;
}
