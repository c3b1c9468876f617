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

/** Selects the elements with content of the server: the outlines of the hero, the parts, and the slides of the carousels. */
const SERVER_RENDERED = "main > :first-child > :last-child, main > div, [aria-roledescription=carousel] > :first-child, #enquiry h2 ~ div";

/** Hydrates the home page in `container`. Fails if `data` is incomplete. */
export function hydrateIsland(container: HTMLElement, data: unknown): void {
  if (!isHomeData(data)) throw new TypeError("The data of the home page are incomplete");
  const served = [...container.querySelectorAll(SERVER_RENDERED)];
  const focused = document.activeElement;

  /** Restores the content of the server, which React removes if the text was changed before hydration: by a translator, or by iOS, which links addresses. */
  function putBack(): void {
    for (const [index, element] of container.querySelectorAll(SERVER_RENDERED).entries())
      if (!element.hasChildNodes()) element.append(...(served[index]?.childNodes ?? []));
    if (focused instanceof HTMLElement && document.activeElement === document.body) focused.focus({ preventScroll: true });
  }

  // In a transition, React yields to the visitor's input every few milliseconds.
  startTransition(() => {
    hydrateRoot(container, <HomePage data={data} parts={PARTS} />, { onRecoverableError: putBack });
  });
}
