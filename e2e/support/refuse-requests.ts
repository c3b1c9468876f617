import type { Page, Route } from "playwright-core";
import { expect } from "vitest";

/** Holds back the requests of the page whose address contains a text, until the returned function is called. */
export async function holdBack(page: Page, text: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(
    ({ href }) => decodeURIComponent(href).includes(text),
    (route) => promise.then(() => route.continue()),
  );
  return resolve;
}

/**
 * Aborts the requests of the page that match the pattern, or passes them to `answer`, until `page.unroute(pattern)`.
 * Repeats `fetch(probe)` in the page until it fails, because the renderer learns of the interception a moment after `page.route`
 * has returned, and its next request could still be sent. `probe` is a path that matches the pattern and that the page does not request.
 */
export async function refuseRequests(
  page: Page,
  pattern: string | RegExp,
  probe: string,
  answer: (route: Route) => Promise<void> = (route) => route.abort(),
): Promise<void> {
  await page.route(pattern, (route) => (route.request().url().endsWith(probe) ? route.abort() : answer(route)));
  const isRefused = (): Promise<boolean> =>
    page.evaluate(async (path) => {
      try {
        await fetch(path);
        return false;
      } catch {
        return true;
      }
    }, probe);
  await expect.poll(isRefused).toBe(true);
}
