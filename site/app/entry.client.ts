import { startDocumentParts } from "./document/site-chrome.client.ts";
import { recordVisit } from "./visits/record-visit.client.ts";

/** The living pages by the name a route's `handle` gives. */
const pages: Record<string, () => Promise<{ hydratePage(container: HTMLElement, json: string): void }>> = {
  home: () => import("./routes/home/home-page.client.tsx"),
};

const data = document.getElementById("page-data");

if ("__reactRouterContext" in window) void import("./document/portal.client.tsx");
else {
  startDocumentParts();
  whenReady(() => {
    if (data) void startPage(data);
    for (const row of document.querySelectorAll<HTMLElement>("[aria-roledescription=carousel]")) whenIdle(() => layOut(row));
  });
  // By itself, so that neither holds up what the visitor does.
  setTimeout(recordVisit);
}

async function startPage(json: HTMLElement): Promise<void> {
  const container = document.getElementById("page");
  const page = await pages[json.dataset["page"] ?? ""]?.();
  if (container) page?.hydratePage(container, json.textContent);
}

/** After load, when the browser has nothing better to do; at once on the first pointer or key. */
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

/** Lays out a row that waited so that the first screen came sooner: by itself, or all of them would be laid out at once. */
function layOut(row: HTMLElement): void {
  row.style.contentVisibility = "visible";
  row.getBoundingClientRect();
}
