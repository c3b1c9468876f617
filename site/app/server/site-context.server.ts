import { createContext } from "react-router";
import type { Logger } from "pino";
import type { Stylesheet } from "../document/document.ts";
import type { LinkWords } from "../og-image/og-image-text.ts";
import type { Supabase } from "../supabase/supabase.server.ts";

/** What loaders and actions know beside their request. */
export interface SiteContext {
  supabase: Supabase;
  /** Where the site is reached by people, without a closing slash. */
  siteUrl: string;
  publishableKey: string;
  /** The third-party enquiry form to embed; absent where our own form serves. */
  enquiryFormUrl: string | undefined;
  log: Logger;
  /** Allows this response's own inline scripts; only the portal has any. */
  nonce: string | undefined;
  /** Sets what a document with these stylesheets may do in the browser. */
  secureDocument: (headers: Headers, stylesheets: readonly Stylesheet[]) => void;
  /** The built stylesheets by URL. */
  styles: ReadonlyMap<string, Stylesheet>;
  /** Says until when the page being made is true, where that ends without anything being written. */
  standsUntil: (instant: Date) => void;
  /** Draws the picture of a link to a post, as JPEG; null where too many are being drawn. */
  linkPicture: (words: LinkWords) => Promise<Uint8Array<ArrayBuffer> | null>;
  /** Says whether the backend answers. */
  health: () => Promise<boolean>;
  /** Has the office written to about new enquiries; nobody waits for it. */
  mailEnquiries: () => void;
}

export const siteContext = createContext<SiteContext>();
