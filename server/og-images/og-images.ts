import { fileURLToPath } from "node:url";
import { createDrawer } from "backend/image-worker-pool.ts";
import type { OgImageText } from "site/app/og-image/og-image-text.ts";

/** Pictures that say where a link leads, each drawn once while it is asked for. */
export interface LinkPictures {
  /** Gives a picture as JPEG; null where too many are being drawn already. Fails where it could not be drawn. */
  picture(words: OgImageText): Promise<Uint8Array<ArrayBuffer> | null>;
  close(): Promise<void>;
}

// About 4 MB; a picture that has gone is drawn again in a fifth of a second.
const MOST_KEPT = 80;
const MOST_UNDER_WAY = 20;

/** Makes the pictures; nothing of what draws is loaded before the first one is asked for, and none of it into this process. */
export function createLinkPictures(): LinkPictures {
  const drawer = createDrawer<OgImageText, Uint8Array<ArrayBuffer>>(new URL("./worker.ts", import.meta.url), {
    FONTCONFIG_FILE: fileURLToPath(new URL("./fonts.conf", import.meta.url)),
  });
  // The order of a Map is the order of use: what is used is taken out and put in again.
  const kept = new Map<string, Uint8Array<ArrayBuffer>>();
  const underWay = new Map<string, Promise<Uint8Array<ArrayBuffer> | null>>();

  async function draw(key: string, words: OgImageText): Promise<Uint8Array<ArrayBuffer> | null> {
    const answer = await drawer.draw(() => Promise.resolve(words));
    if (answer === null) return null;
    if ("failure" in answer) throw new Error(`A link's picture could not be drawn: ${answer.reason}`);
    keep(key, answer);
    return answer;
  }

  function keep(key: string, bytes: Uint8Array<ArrayBuffer>): void {
    kept.delete(key);
    kept.set(key, bytes);
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break;
      kept.delete(oldest);
    }
  }

  return {
    async picture(words) {
      const key = JSON.stringify(words);
      const found = kept.get(key);
      if (found) {
        keep(key, found);
        return found;
      }
      const begun = underWay.get(key);
      if (begun) return begun;
      if (underWay.size >= MOST_UNDER_WAY) return null;
      const drawing = draw(key, words).finally(() => underWay.delete(key));
      underWay.set(key, drawing);
      return drawing;
    },
    close: drawer.close,
  };
}
