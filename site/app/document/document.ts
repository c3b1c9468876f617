import { createContext, type ReactElement } from "react";
import type { EntryContext } from "react-router";

/** The courses of a category, for the links in the footer. */
export interface CourseLinks {
  label: string;
  courses: readonly { title: string; link: string }[];
}

/** A stylesheet that is inlined into the document, with its source expression for the CSP (`'sha256-…'`). */
export interface Stylesheet {
  text: string;
  hash: string;
}

/** The URL of a stylesheet in React Router's manifest, which marks one that scripts load as well with a `#`. */
export function stylesheetUrl(href: string): string {
  return href.replace(/#$/, "");
}

/** True for a stylesheet that the first screen of home does not need; the build names it so. */
export function isLater(url: string): boolean {
  return url.startsWith("/assets/later-");
}

/** Data that only the server has while it renders a document. */
export interface ServerDocument {
  entry: EntryContext;
  /** The stylesheets that this document contains, by URL. */
  styles: ReadonlyMap<string, Stylesheet>;
  /** The URLs of the stylesheets that it links. */
  laterStyles: readonly string[];
  /** The key for reporting a view of this page; absent if the page is not counted. */
  visitKey: string | undefined;
  /** Passed from the server so that the catalogue stays out of the portal's scripts. */
  courseLinks: readonly CourseLinks[];
  /** True if the browser runs React Router on the whole document. */
  inPortal: boolean;
  /** Allows the inline scripts of the document. */
  nonce: string | undefined;
  /** The module that hydrates a public page or the sign-in page, from `site/app`, and its data. */
  island: { file: string; data: unknown } | undefined;
  /** The HTML of an element, rendered once per process, component and key. */
  constantHtml: (element: ReactElement, key?: string) => string;
}

/** Null in the browser. */
export const ServerDocumentContext = createContext<ServerDocument | null>(null);
