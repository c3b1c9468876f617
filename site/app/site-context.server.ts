import { createContext } from "react-router";
import type { Logger } from "pino";
import type { Supabase } from "./supabase.server.ts";

/** What loaders and actions know beside their request. */
export interface SiteContext {
  supabase: Supabase;
  /** Where the site is reached by people, without a closing slash. */
  siteUrl: string;
  publishableKey: string;
  /** The third-party enquiry form to embed; absent where our own form serves. */
  enquiryFormUrl: string | undefined;
  log: Logger;
  /** Allows this response's own inline scripts (portal only). */
  nonce: string;
  /** Text of the built stylesheets by URL. */
  styles: ReadonlyMap<string, string>;
  /** Says whether the backend answers. */
  health: () => Promise<boolean>;
}

export const siteContext = createContext<SiteContext>();
