import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";

/** A whole response in memory. */
export interface CachedResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array<ArrayBuffer> | null;
}

/** The parts of a request that select a cached response; Node's incoming messages have this shape. */
export interface CacheRequest {
  method?: string | undefined;
  /** As in the request line: path and query. */
  url?: string | undefined;
  headers: { "accept-encoding"?: string | string[] | undefined; "if-none-match"?: string | undefined };
}

/** A freshly rendered page. */
export interface RenderedPage {
  response: Response;
  /** The tables it was made from, as `schema.table`; `*` if they are unknown, so that every change drops the page. */
  relations: ReadonlySet<string>;
  /** False if a read failed; such a page is not stored. */
  complete: boolean;
  /** The time after which it is outdated although no table changed, in milliseconds since 1970. */
  expires: number;
}

export interface PageCache {
  /** Finds the cached response to a GET or HEAD request. */
  find(request: CacheRequest): CachedResponse | undefined;
  /** Responds from the cache, or renders the page and stores it if it is complete and has status 200. */
  respond(request: Request, render: () => Promise<RenderedPage>): Promise<Response>;
  /** Drops every page made from this table (null: every page), those being rendered now included. */
  drop(relation: string | null): void;
}

interface CachedPage {
  responses: Record<Encoding, CachedResponse>;
  notModified: CachedResponse;
  etag: string;
  relations: ReadonlySet<string>;
  expires: number;
}

// In order of preference.
const ENCODINGS = ["br", "gzip", "identity"] as const;
type Encoding = (typeof ENCODINGS)[number];

const MAX_BYTES = 32 * 1024 * 1024;

const gzipped = promisify<Uint8Array, Uint8Array<ArrayBuffer>>(gzip);
const brotlied = promisify(brotliCompress);
// The default of 11 takes 30 times as long for a twentieth of the size.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/** Creates the cache of public pages, by path; a page stays for `lifetimeMs` at most. */
export function createPageCache(lifetimeMs: number, maxBytes = MAX_BYTES): PageCache {
  const pages = new LRUCache<string, CachedPage>({
    maxSize: maxBytes,
    sizeCalculation: ({ responses }, key) => Object.values(responses).reduce((sum, { body }) => sum + (body?.byteLength ?? 0), key.length),
  });
  const rendering = new Map<string, Promise<CachedPage | Response>>();
  let changes = 0;

  async function renderAndStore(key: string, render: () => Promise<RenderedPage>): Promise<CachedPage | Response> {
    const changesBefore = changes;
    const { response, relations, complete, expires } = await render();
    if (response.status !== 200) return response;
    const page = await toPage(response, relations, Math.min(expires, Date.now() + lifetimeMs));
    // The render may or may not have seen a write that was made meanwhile.
    if (complete && changes === changesBefore) pages.set(key, page);
    return page;
  }

  function findPage(key: string): CachedPage | undefined {
    const page = pages.get(key);
    if (!page || page.expires > Date.now()) return page;
    pages.delete(key);
    return undefined;
  }

  return {
    find(request) {
      if (request.method !== "GET" && request.method !== "HEAD") return undefined;
      const page = findPage(request.url ?? "");
      return page && chooseResponse(page, request);
    },
    async respond(request, render) {
      const key = new URL(request.url).pathname;
      const cached = findPage(key);
      if (cached) return toResponse(request, cached);

      const running = rendering.get(key);
      const task = running ?? renderAndStore(key, render);
      if (!running) {
        rendering.set(key, task);
        const done = (): void => {
          // After a change, another render may have started under this key.
          if (rendering.get(key) === task) rendering.delete(key);
        };
        task.then(done, done);
      }
      const result = await task;
      if (result instanceof Response) return result.clone();
      return toResponse(request, result);
    },
    drop(relation) {
      changes += 1;
      // A request that arrives after this write must not get a page whose render began before it.
      rendering.clear();
      for (const [key, { relations }] of pages) if (relation === null || relations.has(relation) || relations.has("*")) pages.delete(key);
    },
  };
}

async function toPage(response: Response, relations: ReadonlySet<string>, expires: number): Promise<CachedPage> {
  const identity = new Uint8Array(await response.arrayBuffer());
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", identity));
  const etag = `W/"${digest.toBase64({ alphabet: "base64url" }).slice(0, 22)}"`;
  const headers = {
    ...Object.fromEntries(response.headers),
    etag,
    "cache-control": "public, max-age=0, must-revalidate",
    vary: "Accept-Encoding",
  };
  const encoded = (body: Uint8Array<ArrayBuffer>, encoding?: Encoding): CachedResponse => ({
    status: 200,
    headers: { ...headers, ...(encoding && { "content-encoding": encoding }), "content-length": String(body.byteLength) },
    body,
  });
  return {
    responses: {
      identity: encoded(identity),
      gzip: encoded(await gzipped(identity), "gzip"),
      br: encoded(await brotlied(identity, BROTLI), "br"),
    },
    notModified: { status: 304, headers, body: null },
    etag,
    relations,
    expires,
  };
}

function chooseResponse({ responses, notModified, etag }: CachedPage, { method, headers }: CacheRequest): CachedResponse {
  if (headers["if-none-match"]?.includes(etag)) return notModified;
  const accepted = new Negotiator({ headers: { "accept-encoding": String(headers["accept-encoding"] ?? "") } }).encodings([...ENCODINGS]);
  const response = responses[ENCODINGS.find((encoding) => accepted.includes(encoding)) ?? "identity"];
  return method === "HEAD" ? { ...response, body: null } : response;
}

function toResponse({ method, headers: requested }: Request, page: CachedPage): Response {
  const encoding = requested.get("accept-encoding") ?? undefined;
  const tag = requested.get("if-none-match") ?? undefined;
  const { status, headers, body } = chooseResponse(page, { method, headers: { "accept-encoding": encoding, "if-none-match": tag } });
  return new Response(body, { status, headers });
}
