import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HomePage } from "./home-page.tsx";

/** Brings the home page in `container` to life with its loader data, which comes as JSON. */
export function hydratePage(container: HTMLElement, json: string): void {
  // As a transition React pauses every few milliseconds for whatever the visitor does.
  startTransition(() => {
    hydrateRoot(container, <HomePage loaderData={JSON.parse(json)} />);
  });
}
