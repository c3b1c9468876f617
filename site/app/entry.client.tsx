import type { ReactElement } from "react";
import { startDocumentParts } from "./document-parts.client.ts";
import { recordVisit } from "./visit.client.ts";

/** The living parts by the name a route's `handle` gives: each makes its element from its loader data, which comes as JSON. */
const pages: Record<string, (json: string) => Promise<ReactElement>> = {
  home: async (json) => {
    const [{ createElement }, { HomePage }] = await Promise.all([import("react"), import("./routes/home/home-page.tsx")]);
    return createElement(HomePage, { loaderData: JSON.parse(json) });
  },
};

const data = document.getElementById("page-data");

if ("__reactRouterContext" in window) void import("./portal.client.tsx");
else {
  startDocumentParts();
  recordVisit();
  if (data) whenReady(() => void hydratePage(data));
}

async function hydratePage(json: HTMLElement): Promise<void> {
  const container = document.getElementById("page");
  const makePage = pages[json.dataset["page"] ?? ""];
  if (!container || !makePage) return;
  const [{ startTransition }, { hydrateRoot }, page] = await Promise.all([
    import("react"),
    import("react-dom/client"),
    makePage(json.textContent),
  ]);
  // As a transition React pauses every few milliseconds for whatever the visitor does.
  startTransition(() => {
    hydrateRoot(container, page);
  });
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
  const idle = (): unknown => ("requestIdleCallback" in window ? requestIdleCallback(once, { timeout: 2000 }) : setTimeout(once, 200));
  if (document.readyState === "complete") idle();
  else addEventListener("load", idle, { once: true });
}
