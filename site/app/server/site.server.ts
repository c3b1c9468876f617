import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import type { Logger } from "pino";
import * as build from "virtual:react-router/server-build";
import { stylesheetUrl, type Stylesheet } from "../document/document.ts";
import type { LinkWords } from "../og-image/og-image-text.ts";
import { createPageCache, type AskedPage, type KeptAnswer, type RenderedPage } from "./page-cache.server.ts";
import { setSecurityHeaders } from "./security-headers.server.ts";
import { siteContext } from "./site-context.server.ts";
import { createServerClient, type Reads, type SupabaseOptions } from "../supabase/supabase.server.ts";
import { mailEnquiries } from "./enquiry-mail.server.ts";

export interface SiteOptions {
  /** Where people reach the site, without a closing slash. */
  siteUrl: string;
  supabase: SupabaseOptions;
  enquiryFormUrl: string | undefined;
  /** Reads a file of the client build by its URL. */
  readAsset: (url: string) => Promise<string>;
  /** Draws the picture of a link to a post, as JPEG; null where too many are being drawn. */
  linkPicture: (words: LinkWords) => Promise<Uint8Array<ArrayBuffer> | null>;
  /** How long a cached page may be served without asking again, in milliseconds. */
  pageLifetimeMs: number;
  log: Logger;
}

/** What the transport knows of a request and the request does not say. */
export interface Visitor {
  /** The visitor's network address. */
  clientAddress: string;
}

export interface Site {
  fetch(request: Request, visitor: Visitor): Promise<Response>;
  /** The answer that `fetch` would give from the cache, for a transport that can send it as it is. */
  kept(asked: AskedPage): KeptAnswer | undefined;
  /** Has the office written to about enquiries it was not written about yet. */
  mailEnquiries(): Promise<void>;
  /** Forgets the cached pages that show this table (`schema.table`), or all of them (null). */
  dropPages(table: string | null): void;
}

const LONGEST_FORM = 64 * 1024;

/** Makes the website: every route of `routes.ts` as one `fetch`, public pages from a cache of bytes. */
export async function createSite(options: SiteOptions): Promise<Site> {
  const { siteUrl, supabase, log } = options;
  const handle = createRequestHandler(build, import.meta.env.MODE);
  const cache = createPageCache(options.pageLifetimeMs);
  const styles = await readStyles(build, options.readAsset);
  const enquiryFormOrigin = options.enquiryFormUrl === undefined ? undefined : new URL(options.enquiryFormUrl).origin;
  const secure = siteUrl.startsWith("https:");

  async function health(): Promise<boolean> {
    const { error } = await createServerClient(supabase, { tables: new Set(), failed: false }).from("course_dates").select("id").limit(1);
    return error === null;
  }

  async function render(request: Request, visitor: Visitor | undefined): Promise<RenderedPage> {
    const reads: Reads = { tables: new Set(), failed: false };
    let expires = Infinity;
    const nonce = isPortal(request) && !import.meta.env.DEV ? crypto.getRandomValues(new Uint8Array(16)).toBase64() : undefined;
    const secureDocument = (headers: Headers, stylesheets: readonly Stylesheet[]): void => {
      // The development server's own scripts and styles are inline.
      if (import.meta.env.DEV) return;
      setSecurityHeaders(headers, { nonce, styleHashes: stylesheets.map(({ hash }) => hash), enquiryFormOrigin, secure });
    };
    const context = new RouterContextProvider();
    context.set(siteContext, {
      supabase: createServerClient(supabase, reads, visitor),
      siteUrl,
      publishableKey: supabase.publishableKey,
      enquiryFormUrl: options.enquiryFormUrl,
      log,
      nonce,
      secureDocument,
      styles,
      standsUntil: (instant) => void (expires = Math.min(expires, instant.getTime())),
      linkPicture: options.linkPicture,
      health,
      mailEnquiries: () => void mailEnquiries(supabase, log),
    });
    const response = await handle(request, context);
    if (!response.headers.has("Content-Security-Policy")) secureDocument(response.headers, []);
    if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
    return { response, tables: reads.tables, complete: !reads.failed, expires };
  }

  return {
    async fetch(request, visitor) {
      if (isTooLong(request)) return new Response("Too long", { status: 413 });
      if (import.meta.env.DEV || !isCacheable(request)) return (await render(request, visitor)).response;
      // Rendered for everybody: without this visitor's headers, and not ended when this visitor leaves.
      return cache.respond(request, () => render(new Request(request.url), undefined));
    },
    mailEnquiries: () => mailEnquiries(supabase, log),
    kept: cache.kept,
    dropPages: cache.drop,
  };
}

/** Forms are short, and browsers say how long theirs is. */
function isTooLong({ headers }: Request): boolean {
  return headers.has("transfer-encoding") || Number(headers.get("content-length")) > LONGEST_FORM;
}

function isPortal(request: Request): boolean {
  return /^\/admin(\/|$)/.test(new URL(request.url).pathname);
}

function isCacheable(request: Request): boolean {
  const { pathname, search } = new URL(request.url);
  const isPage = !isPortal(request) && pathname !== "/health" && !pathname.startsWith("/social/");
  return (request.method === "GET" || request.method === "HEAD") && search === "" && isPage;
}

async function readStyles({ assets }: ServerBuild, readAsset: SiteOptions["readAsset"]): Promise<Map<string, Stylesheet>> {
  const urls = new Set(
    Object.values(assets.routes)
      .flatMap((route) => route?.css ?? [])
      .map(stylesheetUrl),
  );
  return new Map(await Promise.all([...urls].map(async (url) => [url, await toStylesheet(await readAsset(url))] as const)));
}

async function toStylesheet(text: string): Promise<Stylesheet> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return { text, hash: `'sha256-${new Uint8Array(digest).toBase64()}'` };
}
