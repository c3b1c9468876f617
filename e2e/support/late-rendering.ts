import type { Page } from "playwright-core";

/** Longer than a test needs between what it sees and its next key or click. */
export const LATE_MS = 1000;

/** Makes React render a page and run its effects late, as on a busy computer, while `work` runs. */
export async function renderLate(page: Page, work: () => Promise<void>): Promise<void> {
  const stop = await page.evaluateHandle(delayReact, LATE_MS);
  try {
    await work();
  } finally {
    await stop.evaluate((end) => end());
  }
}

/** Runs in the page: delays the messages by which the scheduler of React continues; the returned function ends that. */
export function delayReact(ms: number): () => void {
  const { prototype } = MessagePort;
  const { postMessage } = prototype;
  prototype.postMessage = function (this: MessagePort, message: unknown) {
    setTimeout(() => postMessage.call(this, message), ms);
  };
  return () => {
    prototype.postMessage = postMessage;
  };
}
