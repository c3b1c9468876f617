import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";
import { bytesOf, streamOf } from "./byte-stream.server.ts";
import { pageAddress, type PageQuery } from "./page-address.server.ts";

/** A whole response in memory. */
export interface CachedResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array<ArrayBuffer> | null;
}

/** The parts of a request that select a cached response; Node's incoming messages have this shape. */
export interface CacheRequest {
  method?: string | undefined;
  /** The path and the query, as in the request line. */
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

/** Renders the page at an address: a path, with what the page reads from its query. */
type Render = (address: string) => Promise<RenderedPage>;

export interface PageCache {
  /** Finds the cached response to a GET or HEAD request. */
  find(request: CacheRequest): CachedResponse | undefined;
  /**
   * Responds from the cache, or renders the page at its address and stores it if it is complete and has status 200.
   * `query` is what the page reads from its query.
   */
  respond(request: Request, render: Render, query?: PageQuery): Promise<Response>;
  /** Drops every page made from this table (null: every page), those being rendered now included. */
  drop(relation: string | null): void;
}

interface CachedPage {
  /** By encoding: the uncompressed response, and the others after the first request for each. */
  responses: Partial<Record<Encoding, CachedResponse>> & { identity: CachedResponse };
  compressing: Partial<Record<Encoding, Promise<CachedResponse>>>;
  notModified: CachedResponse;
  etag: string;
  query: PageQuery | undefined;
  relations: ReadonlySet<string>;
  expires: number;
  /** The end of its lifetime, by a clock that is never set back, unlike that of the system. */
  lifetimeEnd: number;
}

// In order of preference.
const ENCODINGS = ["br", "gzip", "identity"] as const;
type Encoding = (typeof ENCODINGS)[number];

const MAX_BYTES = 32 * 1024 * 1024;
/** The number of spellings of Accept-Encoding whose choice is remembered. */
const MAX_CHOICES = 200;

const gzipped = promisify<Uint8Array, Uint8Array<ArrayBuffer>>(gzip);
const brotlied = promisify(brotliCompress);
const BROTLI = {
  params: {
    // The default of 11 takes 30 times as long and makes the result only 5 % smaller.
    [constants.BROTLI_PARAM_QUALITY]: 6,
    // A larger window than 64 KB has tables of 2 MB, which take longer to allocate than a page to compress, and saves only 0.2 %.
    [constants.BROTLI_PARAM_LGWIN]: 16,
  },
};

/** Creates the cache of public pages, by address; a page stays for `lifetimeMs` at most (decision 013). */
export function createPageCache(lifetimeMs: number, maxBytes = MAX_BYTES): PageCache {
  const pages = new LRUCache<string, CachedPage>({
    maxSize: maxBytes,
    sizeCalculation: ({ responses }, key) => Object.values(responses).reduce((sum, { body }) => sum + (body?.byteLength ?? 0), key.length),
  });
  const rendering = new Map<string, Promise<CachedPage | Response>>();
  let changes = 0;

  async function renderAndStore(address: string, render: Render, query: PageQuery | undefined): Promise<CachedPage | Response> {
    const changesBefore = changes;
    const { response, relations, complete, expires } = await render(address);
    if (response.status !== 200) return response;
    const page = { ...(await readPage(response)), query, relations, expires, lifetimeEnd: performance.now() + lifetimeMs };
    // The render may or may not have seen a write that was made meanwhile.
    if (complete && changes === changesBefore) pages.set(address, page);
    return page;
  }

  function findPage(key: string): CachedPage | undefined {
    const page = pages.get(key);
    if (!page || (page.expires > Date.now() && page.lifetimeEnd > performance.now())) return page;
    pages.delete(key);
    return undefined;
  }

  /** Compresses a page at the first request for an encoding. */
  function compress(address: string, page: CachedPage, encoding: Encoding): Promise<CachedResponse> {
    return (page.compressing[encoding] ??= compressed(page, encoding).then((response) => {
      page.responses[encoding] = response;
      // Counts its size again, if it is still stored.
      if (pages.peek(address) === page && pages.delete(address)) pages.set(address, page);
      return response;
    }));
  }

  async function toResponse({ method, headers: requested }: Request, address: string, page: CachedPage): Promise<Response> {
    const accepted = requested.get("accept-encoding") ?? undefined;
    const tag = requested.get("if-none-match") ?? undefined;
    const encoding = chooseEncoding(accepted);
    const encoded = page.responses[encoding] ?? (await compress(address, page, encoding));
    const { status, headers, body } = chooseResponse(page, encoded, { method, headers: { "if-none-match": tag } });
    return new Response(body && streamOf(body), { status, headers });
  }

  return {
    find(request) {
      if (request.method !== "GET" && request.method !== "HEAD") return undefined;
      const { url = "" } = request;
      const start = url.indexOf("?");
      let page = findPage(start === -1 ? url : url.slice(0, start));
      if (page?.query && start !== -1) page = findPage(pageAddress(url, page.query));
      const encoded = page?.responses[chooseEncoding(request.headers["accept-encoding"])];
      return page && encoded && chooseResponse(page, encoded, request);
    },
    async respond(request, render, query) {
      const { pathname, search } = new URL(request.url);
      const address = pageAddress(pathname + search, query);
      const cached = findPage(address);
      if (cached) return toResponse(request, address, cached);

      const running = rendering.get(address);
      const task = running ?? renderAndStore(address, render, query);
      if (!running) {
        rendering.set(address, task);
        const done = (): void => {
          // After a change, another render may have started for this address.
          if (rendering.get(address) === task) rendering.delete(address);
        };
        task.then(done, done);
      }
      const result = await task;
      if (result instanceof Response) return result.clone();
      return toResponse(request, address, result);
    },
    drop(relation) {
      changes += 1;
      // A request that arrives after this write must not get a page whose render began before it.
      rendering.clear();
      for (const [key, { relations }] of pages) if (relation === null || relations.has(relation) || relations.has("*")) pages.delete(key);
    },
  };
}

async function readPage(response: Response): Promise<Pick<CachedPage, "responses" | "compressing" | "notModified" | "etag">> {
  const identity = await bytesOf(response.body);
  const etag = `W/"${hash("sha256", identity, "base64url").slice(0, 22)}"`;
  const headers = {
    ...Object.fromEntries(response.headers),
    etag,
    "cache-control": "public, max-age=0, must-revalidate",
    vary: "Accept-Encoding",
  };
  const notModified = { status: 304, headers, body: null };
  return { responses: { identity: withBody(notModified, identity) }, compressing: {}, notModified, etag };
}

async function compressed({ responses, notModified }: CachedPage, encoding: Encoding): Promise<CachedResponse> {
  const identity = responses.identity.body ?? new Uint8Array();
  const body = encoding === "br" ? await brotlied(identity, BROTLI) : await gzipped(identity);
  return withBody(notModified, body, { "content-encoding": encoding });
}

function withBody({ headers }: CachedResponse, body: Uint8Array<ArrayBuffer>, more: Record<string, string> = {}): CachedResponse {
  return { status: 200, headers: { ...headers, ...more, "content-length": String(body.byteLength) }, body };
}

function chooseResponse({ notModified, etag }: CachedPage, encoded: CachedResponse, request: CacheRequest): CachedResponse {
  if (request.headers["if-none-match"]?.includes(etag)) return notModified;
  return request.method === "HEAD" ? { ...encoded, body: null } : encoded;
}

const choices = new LRUCache<string, Encoding>({ max: MAX_CHOICES });

function chooseEncoding(requested: string | string[] | undefined): Encoding {
  const header = String(requested ?? "");
  const known = choices.get(header);
  if (known) return known;
  const accepted = new Negotiator({ headers: { "accept-encoding": header } }).encodings([...ENCODINGS]);
  const choice = ENCODINGS.find((encoding) => accepted.includes(encoding)) ?? "identity";
  choices.set(header, choice);
  return choice;
}
