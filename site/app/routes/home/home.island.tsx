import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { isHomeData } from "./home-data.ts";
import { HomePage } from "./home-page.tsx";

/** Hydrates the home page in `container`. Fails if `data` is not what the page's loader returned. */
export function hydrateIsland(container: HTMLElement, data: unknown): void {
  if (!isHomeData(data)) throw new TypeError("The data of the home page are incomplete");
  // In a transition, React yields to the visitor's input every few milliseconds.
  startTransition(() => {
    hydrateRoot(container, <HomePage loaderData={data} />);
  });
}
