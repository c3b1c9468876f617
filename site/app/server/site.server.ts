import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import type { Logger } from "pino";
import * as build from "virtual:react-router/server-build";
import { stylesheetUrl, type Stylesheet } from "../document/document.ts";
import { createServerClient, type Reads, type SupabaseOptions } from "../supabase/supabase.server.ts";
import { canonicalPath } from "./canonical-path.server.ts";
import { mailEnquiries } from "./enquiry-mail.server.ts";
import { createPageCache, type CachedResponse, type CacheRequest, type RenderedPage } from "./page-cache.server.ts";
import { routeHandles } from "./route-handles.server.ts";
import { setSecurityHeaders } from "./security-headers.server.ts";
import { documentContext, enquiryContext, expiryContext, ogImageContext, siteContext, type RenderOgImage } from "./site-context.server.ts";

export interface SiteOptions {
  /** The public origin of the site, without a trailing slash. */
  siteUrl: string;
  supabase: SupabaseOptions;
  enquiryFormUrl: string | undefined;
  /** Reads a file of the client build by its URL. */
  readAsset: (url: string) => Promise<string>;
  renderOgImage: RenderOgImage;
  /** The longest time a cached page is served, in milliseconds. */
  pageLifetimeMs: number;
  log: Logger;
}

/** What the transport knows about the client of a request. */
export interface Visitor {
  clientAddress: string;
}

export interface Site {
  fetch(request: Request, visitor: Visitor): Promise<Response>;
  /** Finds the response that `fetch` would give from the cache, for a transport that can send its bytes directly. */
  findCached(request: CacheRequest): CachedResponse | undefined;
  /** Mails the enquiries that the office was not notified of yet. */
  mailEnquiries(): Promise<void>;
  /** Drops the cached pages made from this table (`schema.table`), or all of them (null). */
  dropPages(relation: string | null): void;
}

const LONGEST_FORM_BYTES = 64 * 1024;

/** Creates the website: one `fetch` for every route of `routes.ts`, with public pages from a cache of bytes. */
export async function createSite(options: SiteOptions): Promise<Site> {
  const { siteUrl, supabase, log } = options;
  const handleRequest = createRequestHandler(build, import.meta.env.MODE);
  const handleOf = routeHandles(build);
  const cache = createPageCache(options.pageLifetimeMs);
  const allStyles = await readStyles(build, options.readAsset);
  const enquiryFormOrigin = options.enquiryFormUrl === undefined ? undefined : new URL(options.enquiryFormUrl).origin;
  const secure = siteUrl.startsWith("https:");

  async function render(request: Request, nonce: string | undefined, visitor: Visitor | undefined): Promise<RenderedPage> {
    const reads: Reads = { relations: new Set(), failed: false };
    let expires = Infinity;
    let styles: readonly Stylesheet[] = [];
    const context = new RouterContextProvider();
    context.set(siteContext, { supabase: createServerClient(supabase, reads, visitor), siteUrl, log });
    context.set(documentContext, {
      publishableKey: supabase.publishableKey,
      nonce,
      allStyles,
      useStyles: (used) => void (styles = used),
    });
    context.set(enquiryContext, {
      formUrl: options.enquiryFormUrl,
      notifyOffice: () => void mailEnquiries(supabase, log),
    });
    context.set(ogImageContext, options.renderOgImage);
    context.set(expiryContext, (instant) => void (expires = Math.min(expires, instant.getTime())));
    const response = await handleRequest(request, context);
    // The development server inlines scripts and styles of its own.
    if (!import.meta.env.DEV)
      setSecurityHeaders(response.headers, { nonce, styleHashes: styles.map(({ hash }) => hash), enquiryFormOrigin, secure });
    if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
    return { response, relations: reads.relations, complete: !reads.failed, expires };
  }

  return {
    async fetch(request, visitor) {
      const { pathname, search } = new URL(request.url);
      const canonical = canonicalPath(pathname);
      if (canonical !== pathname) return moved(canonical + search);
      if (isTooLong(request)) return new Response("Too long", { status: 413 });
      const handle = handleOf(pathname);
      const isRead = request.method === "GET" || request.method === "HEAD";
      if (handle.cache && isRead && search === "" && !import.meta.env.DEV) {
        // Rendered for every visitor: without this visitor's headers, and not aborted when this visitor leaves.
        return cache.respond(request, () => render(new Request(request.url), undefined, undefined));
      }
      const nonce = handle.router && !import.meta.env.DEV ? crypto.getRandomValues(new Uint8Array(16)).toBase64() : undefined;
      return (await render(request, nonce, visitor)).response;
    },
    mailEnquiries: () => mailEnquiries(supabase, log),
    findCached: cache.find,
    dropPages: cache.drop,
  };
}

function moved(location: string): Response {
  return new Response(null, { status: 301, headers: { Location: location, "Cache-Control": "public, max-age=3600" } });
}

function isTooLong({ headers }: Request): boolean {
  return headers.has("transfer-encoding") || Number(headers.get("content-length")) > LONGEST_FORM_BYTES;
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
