import { startSiteChrome } from "./document/site-chrome.client.ts";
import { recordVisit } from "./visits/record-visit.client.ts";

/** The islands, by their file with `./` before it. */
const islands = import.meta.glob<{ hydrateIsland(container: HTMLElement, data: unknown): void }>([
  "./routes/**/*.island.tsx",
  "./portal/sign-in/sign-in.island.tsx",
]);

const data = document.getElementById("island-data");

if ("__reactRouterRouteModules" in window) void import("./document/portal.client.tsx");
else {
  startSiteChrome();
  whenReady(() => {
    if (data) void startIsland(data);
    for (const row of document.querySelectorAll<HTMLElement>("[aria-roledescription=carousel]")) whenIdle(() => layOut(row));
  });
  // Runs in a separate task, so that it does not delay hydration.
  setTimeout(recordVisit);
}

async function startIsland(json: HTMLElement): Promise<void> {
  const container = document.getElementById("page");
  const island = await islands[`./${json.dataset["island"]}`]?.();
  if (container) island?.hydrateIsland(container, JSON.parse(json.textContent));
}

/** Calls back when the page is loaded and the browser is idle, or at the first pointer or key event. */
function whenReady(start: () => void): void {
  const begun = new AbortController();
  const once = (): void => {
    if (begun.signal.aborted) return;
    begun.abort();
    start();
  };
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, once, { signal: begun.signal, passive: true });
  const idle = (): void => whenIdle(once);
  if (document.readyState === "complete") idle();
  else addEventListener("load", idle, { once: true });
}

function whenIdle(act: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(act, { timeout: 2000 });
  else setTimeout(act, 200);
}

/** Lays out a carousel whose layout was deferred by `content-visibility`; one per idle period. */
function layOut(row: HTMLElement): void {
  row.style.contentVisibility = "visible";
  row.getBoundingClientRect();
}
