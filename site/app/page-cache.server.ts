import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A rendered page, kept as bytes in each encoding it is sent in. */
interface CachedPage {
  body: Record<Encoding, Uint8Array<ArrayBuffer>>;
  headers: Headers;
  etag: string;
  tables: ReadonlySet<string>;
  expires: number;
}

/** A freshly rendered page and the tables it was made from. */
export interface RenderedPage {
  response: Response;
  tables: ReadonlySet<string>;
  /** False where something could not be read: good enough for now, and not to be kept. */
  complete: boolean;
}

export interface PageCache {
  /** Answers from the cache, or renders, keeps and answers; only complete 200 responses are kept. */
  respond(request: Request, render: () => Promise<RenderedPage>): Promise<Response>;
  /** Forgets every page made from this table (null: from any), those being rendered now included. */
  drop(table: string | null): void;
}

type Encoding = "br" | "gzip" | "identity";

const MOST_PAGES = 1000;

const gzipped = promisify<Uint8Array, Uint8Array<ArrayBuffer>>(gzip);
const brotlied = promisify(brotliCompress);
// The default of 11 takes 30 times as long for a twentieth of the size.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/** Makes the cache of public pages; a page lives `lifetimeMs` at most, since dates pass without anything being written. */
export function createPageCache(lifetimeMs: number): PageCache {
  const pages = new Map<string, CachedPage>();
  const rendering = new Map<string, Promise<CachedPage | Response>>();
  let changes = 0;

  async function renderAndKeep(key: string, render: () => Promise<RenderedPage>): Promise<CachedPage | Response> {
    const changesBefore = changes;
    const { response, tables, complete } = await render();
    if (response.status !== 200) return response;
    const page = await toPage(response, tables, Date.now() + lifetimeMs);
    // A write during the render may or may not be in it: answered once, not kept.
    if (complete && changes === changesBefore) {
      if (pages.size >= MOST_PAGES) pages.delete(pages.keys().next().value ?? key);
      pages.set(key, page);
    }
    return page;
  }

  return {
    async respond(request, render) {
      const key = new URL(request.url).pathname;
      const kept = pages.get(key);
      if (kept && kept.expires > Date.now()) return toResponse(request, kept);
      pages.delete(key);

      const underWay = rendering.get(key);
      const task = underWay ?? renderAndKeep(key, render);
      if (!underWay) {
        rendering.set(key, task);
        const done = (): void => {
          // A change meanwhile has begun another render under this key.
          if (rendering.get(key) === task) rendering.delete(key);
        };
        task.then(done, done);
      }
      const result = await task;
      if (result instanceof Response) return result.clone();
      return toResponse(request, result);
    },
    drop(table) {
      changes += 1;
      // Whoever asks after this write must not be given a page begun before it.
      rendering.clear();
      for (const [key, page] of pages) if (table === null || page.tables.has(table)) pages.delete(key);
    },
  };
}

async function toPage(response: Response, tables: ReadonlySet<string>, expires: number): Promise<CachedPage> {
  const identity = new Uint8Array(await response.arrayBuffer());
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", identity));
  return {
    body: { identity, gzip: await gzipped(identity), br: await brotlied(identity, BROTLI) },
    headers: response.headers,
    etag: `W/"${digest.toBase64({ alphabet: "base64url" }).slice(0, 22)}"`,
    tables,
    expires,
  };
}

function toResponse(request: Request, page: CachedPage): Response {
  const headers = new Headers(page.headers);
  headers.set("ETag", page.etag);
  headers.set("Cache-Control", "public, max-age=0, must-revalidate");
  headers.set("Vary", "Accept-Encoding");
  if (request.headers.get("if-none-match")?.includes(page.etag)) return new Response(null, { status: 304, headers });
  const encoding = acceptedEncoding(request);
  if (encoding !== "identity") headers.set("Content-Encoding", encoding);
  const body = page.body[encoding];
  headers.set("Content-Length", String(body.byteLength));
  return new Response(request.method === "HEAD" ? null : body, { headers });
}

function acceptedEncoding(request: Request): Encoding {
  const accepted = request.headers.get("accept-encoding") ?? "";
  if (/\bbr\b(?!;q=0(?:\.0*)?(?:,|$))/.test(accepted)) return "br";
  return /\bgzip\b(?!;q=0(?:\.0*)?(?:,|$))/.test(accepted) ? "gzip" : "identity";
}
