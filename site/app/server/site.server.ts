import { fixedPages, redirects } from "content/pages.ts";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import type { Logger } from "pino";
import * as build from "virtual:react-router/server-build";
import { stylesheetUrl, type Stylesheet } from "../document/document.ts";
import { createServerClient, type Reads, type Supabase, type SupabaseOptions } from "../supabase/supabase.server.ts";
import { canonicalPath } from "./canonical-path.server.ts";
import { createComingDates } from "./coming-dates.server.ts";
import { createMails, type Mails } from "./mail.server.ts";
import { routeMatcher, type MatchedRoute } from "./match-route.server.ts";
import { createPageRenderers } from "./page-renderer.server.ts";
import { createPageCache, type CachedResponse, type CacheRequest, type RenderedPage } from "./page-cache.server.ts";
import { overloaded, readForm, refuse } from "./refusals.server.ts";
import { createRenderQueue } from "./render-queue.server.ts";
import { setSecurityHeaders } from "./security-headers.server.ts";
import {
  documentContext,
  enquiryContext,
  expiryContext,
  formContext,
  ogImageContext,
  siteContext,
  type RenderOgImage,
  type SiteContext,
} from "./site-context.server.ts";

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
  /** The free space of the server's disk; absent if the backend is elsewhere. */
  diskSpace?: SiteContext["diskSpace"];
  log: Logger;
  /** Renders every page with the handler of React Router, for the test of our renderer. */
  byReactRouter?: boolean;
}

/** The client of a request, as reported by the transport. */
export interface Visitor {
  clientAddress: string;
}

export interface Site {
  fetch(request: Request, visitor: Visitor): Promise<Response>;
  /** Finds the response that `fetch` would give from the cache, for a transport that can send its bytes directly. */
  findCached(request: CacheRequest): CachedResponse | undefined;
  /** The route of a path as it is declared, such as `/blog/:slug`: `files` for a file of the build, `other` if there is none. */
  routeOf(pathname: string): string;
  mails: Mails;
  /** Drops the cached pages made from this table (`schema.table`), or all of them (null). */
  dropPages(relation: string | null): void;
}

interface RenderOptions {
  route: MatchedRoute;
  /** Allows the inline scripts of the document. */
  nonce?: string | undefined;
  visitor?: Visitor;
  /** The form of a POST request. */
  form?: FormData;
}

const RETRY_AFTER_S = "5";
const cachedPaths = new Set(fixedPages.filter(({ page }) => page.cached).map(({ path }) => path));
/** The most pages of one kind that are rendered at a time; more would only wait for each other. */
const MAX_RENDERS = 50;

/** Creates the website: one `fetch` for every route of `routes.ts`, with public pages from a cache of bytes. */
export async function createSite(options: SiteOptions): Promise<Site> {
  const { siteUrl, supabase, diskSpace, log } = options;
  const handleRequest = createRequestHandler(build, import.meta.env.MODE);
  const matchRoute = routeMatcher(build);
  const pageRenderers = options.byReactRouter ? new Map<string, never>() : createPageRenderers(build, handleRequest);
  const cache = createPageCache(options.pageLifetimeMs);
  const comingDates = createComingDates(supabase, log);
  const mails = createMails(supabase, log);
  const allStyles = await readStyles(build, options.readAsset);
  const enquiryFormOrigin = options.enquiryFormUrl === undefined ? undefined : new URL(options.enquiryFormUrl).origin;
  const secure = siteUrl.startsWith("https:");

  // Separate queues, so that a flood of forms, or of requests for unknown paths, does not delay the pages that all visitors share or the portal.
  const queues = { shared: createRenderQueue(), others: createRenderQueue(), forms: createRenderQueue(), portal: createRenderQueue() };

  async function render(request: Request, { route, nonce, visitor, form }: RenderOptions): Promise<RenderedPage> {
    const reads: Reads = { relations: new Set(), failed: false };
    let expires = Infinity;
    let styles: readonly Stylesheet[] = [];
    const context = new RouterContextProvider();
    let client: Supabase | undefined;
    context.set(siteContext, {
      // Many pages read only the coming dates, and creating a client takes longer than rendering some of them.
      get supabase() {
        return (client ??= createServerClient(supabase, reads, visitor));
      },
      comingDates: (courseNames) => comingDates.read(reads, courseNames),
      siteUrl,
      diskSpace,
      log,
    });
    context.set(documentContext, {
      route,
      publishableKey: supabase.publishableKey,
      nonce,
      allStyles,
      useStyles: (used) => void (styles = used),
    });
    context.set(enquiryContext, {
      formUrl: options.enquiryFormUrl,
      notifyOffice: () => void mails.send(),
    });
    if (form) context.set(formContext, form);
    context.set(ogImageContext, options.renderOgImage);
    context.set(expiryContext, (instant) => void (expires = Math.min(expires, instant.getTime())));
    const handle = (route.cached && pageRenderers.get(route.path ?? "")) || handleRequest;
    const response = secured(await handle(request, context), styles, nonce);
    return { response, relations: reads.relations, complete: !reads.failed, expires };
  }

  /** Renders a page, or responds with 503 while too many are being rendered. */
  async function renderUnlessBusy(request: Request, page: RenderOptions): Promise<RenderedPage> {
    const queue = queues[page.form ? "forms" : cachedPaths.has(new URL(request.url).pathname) ? "shared" : "others"];
    if (queue.size >= MAX_RENDERS) return { response: secured(overloaded()), relations: new Set(), complete: false, expires: 0 };
    return queue.run(() => render(request, page));
  }

  function secured(response: Response, styles: readonly Stylesheet[] = [], nonce?: string): Response {
    const styleHashes = styles.map(({ hash }) => hash);
    // The development server inlines scripts and styles of its own.
    if (!import.meta.env.DEV) setSecurityHeaders(response.headers, { nonce, styleHashes, enquiryFormOrigin, secure });
    if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
    if (response.status === 503 && !response.headers.has("Retry-After")) response.headers.set("Retry-After", RETRY_AFTER_S);
    return response;
  }

  return {
    async fetch(request, visitor) {
      const { pathname, search } = new URL(request.url);
      const canonical = canonicalPath(pathname);
      const target = redirects.get(canonical) ?? canonical;
      if (target !== pathname) return moved(withQuery(target, search));
      const route = matchRoute(pathname);
      const refusal = refuse(request, siteUrl, route.takesForms);
      if (refusal) return secured(refusal);
      if (request.method === "POST") {
        const form = await readForm(request);
        if (form instanceof Response) return secured(form);
        return (await renderUnlessBusy(withoutBody(request), { route, visitor, form })).response;
      }
      if (route.cached && !import.meta.env.DEV) {
        // Rendered for every visitor: without this visitor's headers, and not aborted when this visitor leaves.
        const renderShared = (address: string): Promise<RenderedPage> =>
          renderUnlessBusy(new Request(new URL(address, request.url)), { route });
        return cache.respond(request, renderShared, route.query);
      }
      const nonce = route.inPortal && !import.meta.env.DEV ? crypto.getRandomValues(new Uint8Array(16)).toBase64() : undefined;
      const page = { route, nonce, visitor };
      if (route.essential) return (await render(request, page)).response;
      if (route.inPortal) return (await queues.portal.run(() => render(request, page))).response;
      return (await renderUnlessBusy(request, page)).response;
    },
    mails,
    findCached: cache.find,
    routeOf: (pathname) => matchRoute(canonicalPath(pathname)).pattern,
    dropPages(relation) {
      comingDates.drop(relation);
      cache.drop(relation);
    },
  };
}

/** The POST request that React Router routes: its form is read, and its origin is checked. */
function withoutBody({ url, method, headers, signal }: Request): Request {
  const rest = new Headers(headers);
  // React Router compares the origin with the Host header, which a proxy may replace.
  rest.delete("origin");
  return new Request(url, { method, headers: rest, signal });
}

function withQuery(target: string, search: string): string {
  const [path = "", fragment] = target.split("#", 2);
  return path + search + (fragment === undefined ? "" : `#${fragment}`);
}

function moved(location: string): Response {
  return new Response(null, { status: 301, headers: { Location: location, "Cache-Control": "public, max-age=3600" } });
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
