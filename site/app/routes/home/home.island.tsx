import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { SERVER_CONTENT } from "../../document/server-content.ts";
import { isHomeData } from "./home-data.ts";
import { HomePage } from "./home-page.tsx";

const PARTS = {
  dates: SERVER_CONTENT,
  reviews: SERVER_CONTENT,
  about: SERVER_CONTENT,
  team: SERVER_CONTENT,
  accreditations: SERVER_CONTENT,
  enquiryForm: SERVER_CONTENT,
};

/** Hydrates the home page in `container`. Fails if `data` is incomplete. */
export function hydrateIsland(container: HTMLElement, data: unknown): void {
  if (!isHomeData(data)) throw new TypeError("The data of the home page are incomplete");
  // In a transition, React yields to the visitor's input every few milliseconds.
  startTransition(() => {
    hydrateRoot(container, <HomePage data={data} parts={PARTS} />);
  });
}
