import { fileURLToPath } from "node:url";
import { createWorkerPool } from "backend/image-worker-pool.ts";
import { LRUCache } from "lru-cache";
import type { OgImageText } from "site/app/og-image/og-image-text.ts";

type Jpeg = Uint8Array<ArrayBuffer>;

/** Open Graph images, rendered on request (decision 011). */
interface OgImages {
  /** Renders an image as JPEG; null if too many are being rendered. Fails if rendering fails. */
  render(text: OgImageText): Promise<Jpeg | null>;
  close(): Promise<void>;
}

// About 5 MB.
const MAX_CACHED = 100;
const MAX_IN_PROGRESS = 20;

/** Creates the renderer. The image library loads with the first image, and only in a worker process. */
export function createOgImages(): OgImages {
  const pool = createWorkerPool<OgImageText, Jpeg>(new URL("./worker.ts", import.meta.url), {
    FONTCONFIG_FILE: fileURLToPath(new URL("./fonts.conf", import.meta.url)),
  });
  const cached = new LRUCache<string, Jpeg>({ max: MAX_CACHED });
  const inProgress = new Map<string, Promise<Jpeg | null>>();

  async function renderNew(key: string, text: OgImageText): Promise<Jpeg | null> {
    const result = await pool.run(() => Promise.resolve(text));
    if (result === null) return null;
    if ("failure" in result) throw new Error(`An Open Graph image could not be rendered: ${result.reason}`);
    cached.set(key, result);
    return result;
  }

  return {
    async render(text) {
      const key = JSON.stringify(text);
      const known = cached.get(key) ?? inProgress.get(key);
      if (known) return known;
      if (inProgress.size >= MAX_IN_PROGRESS) return null;
      const rendering = renderNew(key, text).finally(() => inProgress.delete(key));
      inProgress.set(key, rendering);
      return rendering;
    },
    close: pool.close,
  };
}
