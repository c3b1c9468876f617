import { createReadStream } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Drawer } from "../../image-worker-pool.ts";
import type { ByteStore } from "../bytes/byte-store.ts";
import { noSuchKey, StorageError } from "../errors.ts";
import type { StoredObject } from "../rendering.ts";
import type { KeptBytes, PictureCache } from "./cache.ts";
import type { DrawAnswer, DrawFailure, DrawOrder } from "./drawing.ts";
import type { Format } from "./format.ts";
import type { Transform } from "./transform.ts";

/** A picture in one size and format. */
export interface Print {
  object: StoredObject;
  transform: Transform;
  format: Format;
  /** The same for two prints of one version that are alike. */
  key: string;
  bytes: ByteStore;
}

/** Prints of pictures, each drawn once. */
export interface Gallery {
  /** Gives a print, drawn now where it is not kept; whoever asks with others waits for the same. Fails with a `StorageError`. */
  drawn(print: Print, signal: AbortSignal): Promise<KeptBytes>;
}

interface UnderWay {
  done: Promise<void>;
  /** Ends the work when nobody waits for it any more. */
  abort: AbortController;
  waiting: number;
}

// What a hosted project takes: https://supabase.com/docs/guides/storage/serving/image-transformations
const MOST_BYTES = 25_000_000;

export interface GalleryOptions {
  cache: PictureCache;
  drawer: Drawer<DrawOrder, DrawAnswer>;
  /** A directory for the files the drawer works on. */
  desk: string;
  log: Logger;
}

/** Makes the gallery of a cache. */
export function createGallery({ cache, drawer, desk, log }: GalleryOptions): Gallery {
  const underWay = new Map<string, UnderWay>();

  async function make({ object, transform, format, key, bytes }: Print, signal: AbortSignal): Promise<void> {
    const source = join(desk, crypto.randomUUID());
    const target = `${source}-drawn`;
    try {
      const answer = await drawer.draw(async () => {
        await copyOut(bytes, object.version, source);
        return { source, target, transform, format };
      }, signal);
      if (answer === null) throw new StorageError("SlowDown", 503, "SlowDown", "Too many pictures are being drawn; please try again.");
      if ("drawn" in answer) return await cache.keep(object.version, key, createReadStream(target));
      if (answer.failure === "failed") throw new Error(`A picture could not be drawn: ${answer.reason}`);
      log.info({ bucket: object.bucketId, name: object.name, failure: answer.failure, reason: answer.reason }, "not a picture to draw");
      throw undrawable(MESSAGES[answer.failure]);
    } finally {
      await Promise.all([rm(source, { force: true }), rm(target, { force: true })]);
    }
  }

  function begin(print: Print, id: string): UnderWay {
    const abort = new AbortController();
    const forget = (): void => {
      if (underWay.get(id) === work) underWay.delete(id);
    };
    const work: UnderWay = { abort, waiting: 0, done: make(print, abort.signal).finally(forget) };
    // Who comes after everybody has left begins anew.
    abort.signal.addEventListener("abort", forget);
    underWay.set(id, work);
    return work;
  }

  async function waitFor(work: UnderWay, signal: AbortSignal): Promise<void> {
    const leave = (): void => {
      work.waiting -= 1;
      if (work.waiting === 0) work.abort.abort();
    };
    work.waiting += 1;
    signal.addEventListener("abort", leave, { once: true });
    try {
      await work.done;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  return {
    async drawn(print, signal) {
      const { object, key } = print;
      if (object.size > MOST_BYTES) throw undrawable(`The picture is larger than ${MOST_BYTES / 1_000_000} MB.`);
      const kept = await cache.read(object.version, key);
      if (kept) return kept;
      const id = `${object.version} ${key}`;
      await waitFor(underWay.get(id) ?? begin(print, id), signal);
      const made = await cache.read(object.version, key);
      if (!made) throw new Error("A picture that was drawn has gone at once.");
      return made;
    },
  };
}

const MESSAGES: Record<DrawFailure | "too_slow", string> = {
  not_a_picture: "The object is not a picture that can be drawn: only JPEG, PNG, WebP, AVIF and GIF can.",
  too_many_pixels: "The picture has more than 50 million pixels.",
  broken: "The picture is broken.",
  too_slow: "The picture takes too long to draw.",
};

function undrawable(message: string): StorageError {
  return new StorageError("ImageProcessingError", 422, "ImageProcessingError", message);
}

async function copyOut(bytes: ByteStore, version: string, path: string): Promise<void> {
  const found = await bytes.read(version);
  if (found === null) throw noSuchKey();
  await writeFile(path, found, { flag: "wx", mode: 0o600 });
}
