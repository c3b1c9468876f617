import { setImmediate as nextTurn } from "node:timers/promises";
import pino from "pino";
import { expect, test, vi } from "vitest";
import { PROJECT_URL, PUBLISHABLE_KEY } from "../site/test/support/project.ts";
import { builtFrontend } from "./frontend.ts";

const PAGES = 40;

test("a flood of pages is rendered in many turns of the event loop", async () => {
  const { createSite } = await builtFrontend();
  // The page of an unknown address reads nothing, so only the queue divides the work.
  const read = vi.fn(() => Promise.reject(new TypeError("fetch failed")));
  const site = await createSite({
    siteUrl: PROJECT_URL,
    supabase: { url: PROJECT_URL, publishableKey: PUBLISHABLE_KEY, fetch: read },
    enquiryFormUrl: undefined,
    renderOgImage: () => Promise.resolve(null),
    pageLifetimeMs: 0,
    log: pino({ level: "silent" }),
  });
  let rendered = 0;
  const flood = Array.from({ length: PAGES }, async (_, page) => {
    const response = await site.fetch(new Request(`${PROJECT_URL}/no-page-${page}`), { clientAddress: "192.0.2.1" });
    expect(response.status).toBe(404);
    rendered += 1;
  });
  let mostInOneTurn = 0;
  while (rendered < PAGES) {
    const before = rendered;
    await nextTurn();
    mostInOneTurn = Math.max(mostInOneTurn, rendered - before);
  }
  await Promise.all(flood);
  expect(mostInOneTurn).toBeLessThan(10);
  expect(read).not.toHaveBeenCalled();
});
