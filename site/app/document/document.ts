import { createContext } from "react";
import type { EntryContext } from "react-router";

/** What the browser gets of a page: no script of its own, the page of this name as a living part, or the whole router. */
export type ClientCode = "none" | "home" | "portal";

/** The `handle` of a route that says which. */
export interface PageHandle {
  client: ClientCode;
  /** True where a view of the page is counted in the statistics. */
  counted?: boolean;
}

/** The courses of a category, as the foot of a page links to them. */
export interface CourseLinks {
  label: string;
  courses: readonly { title: string; link: string }[];
}

/** A stylesheet that is put into the document itself, and the source expression that allows it there (CSP `'sha256-…'`). */
export interface Stylesheet {
  text: string;
  hash: string;
}

/** Where a stylesheet of React Router's manifest lies; there it is marked with a `#` where scripts load it too. */
export function stylesheetUrl(href: string): string {
  return href.replace(/#$/, "");
}

/** What only the server knows while it renders a document. */
export interface ServerDocument {
  entry: EntryContext;
  /** This document's stylesheets by URL. */
  styles: ReadonlyMap<string, Stylesheet>;
  /** What the browser needs to report a page view. */
  publishableKey: string;
  /** Handed over here, so that the catalogue stays out of the portal's scripts. */
  courseLinks: readonly CourseLinks[];
}

/** Null in the browser, where only the portal renders documents, with the framework's own parts. */
export const ServerDocumentContext = createContext<ServerDocument | null>(null);
