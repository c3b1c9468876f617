import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, test } from "vitest";
import { launchBrowser } from "./browser.ts";

// oxlint-disable-next-line no-empty-pattern -- Vitest reads the names of the fixtures that a fixture needs from this pattern.
const withBrowser = test.extend("browser", { scope: "worker" }, async ({}, { onCleanup }) => {
  const browser = await launchBrowser();
  onCleanup(() => browser.close());
  return browser;
});

/**
 * Gives a suite the browser of its worker, because each start takes processor time. The contexts that are opened during the suite are
 * closed at its end.
 */
export function useBrowser(): () => Browser {
  let shared: Browser | undefined;
  const others = new Set<BrowserContext>();

  withBrowser.beforeAll(({ browser }) => {
    shared = browser;
    for (const context of browser.contexts()) others.add(context);
  });
  afterAll(async () => {
    const own = shared?.contexts().filter((context) => !others.has(context)) ?? [];
    await Promise.all(own.map((context) => context.close()));
  });

  return () => {
    if (!shared) throw new Error("The browser is not open yet.");
    return shared;
  };
}
