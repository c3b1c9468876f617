import { createContext } from "react-router";
import type { Logger } from "pino";
import type { Stylesheet } from "../document/document.ts";
import type { OgImageText } from "../og-image/og-image-text.ts";
import type { Supabase } from "../supabase/supabase.server.ts";
import type { ComingDates } from "./coming-dates.server.ts";
import type { MatchedRoute } from "./match-route.server.ts";

/** Context of every loader and action. */
export interface SiteContext {
  readonly supabase: Supabase;
  /** Reads the course dates that have not started, of the named courses or all, in order; pages share one read. */
  comingDates: (courseNames?: readonly string[]) => ReturnType<ComingDates["read"]>;
  /** The public origin of the site, without a trailing slash. */
  siteUrl: string;
  diskSpace?: (() => "ok" | "low" | "full") | undefined;
  log: Logger;
}

export const siteContext = createContext<SiteContext>();

/** Context of the rendering of a document. */
interface DocumentContext {
  route: MatchedRoute;
  publishableKey: string;
  /** Allows this response's inline scripts; only the portal has any. */
  nonce: string | undefined;
  /** The built stylesheets by URL. */
  allStyles: ReadonlyMap<string, Stylesheet>;
  /** Reports the stylesheets that the document inlines, for its security headers. */
  useStyles: (stylesheets: readonly Stylesheet[]) => void;
}

export const documentContext = createContext<DocumentContext>();

/** Context of the enquiry form. */
interface EnquiryContext {
  /** The third-party form to embed; undefined if the site's own form is used. */
  formUrl: string | undefined;
  /** Starts mailing new enquiries to the office. */
  notifyOffice: () => void;
}

export const enquiryContext = createContext<EnquiryContext>();

/** The form that a POST request sent; empty for other requests. */
export const formContext = createContext(new FormData());

/** Renders an Open Graph image as JPEG; null if too many are being rendered. */
export type RenderOgImage = (text: OgImageText) => Promise<Uint8Array<ArrayBuffer> | null>;

export const ogImageContext = createContext<RenderOgImage>();

/** Sets the latest time until which the page may stay in the page cache although no table changes. */
export const expiryContext = createContext<(instant: Date) => void>();
