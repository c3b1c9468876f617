import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A rendered page, kept as whole answers in each encoding it is sent in. */
interface CachedPage {
  answers: Record<Encoding, KeptAnswer>;
  /** For whoever has the page already. */
  unchanged: KeptAnswer;
  etag: string;
  tables: ReadonlySet<string>;
  expires: number;
}

/** An answer as it goes out. */
export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer> | null;
}

/** What of a request decides which answer it gets; Node's own requests have this form. */
export interface AskedPage {
  method?: string | undefined;
  url?: string | undefined;
  headers: { "accept-encoding"?: string | string[] | undefined; "if-none-match"?: string | undefined };
}

/** A freshly rendered page and the tables it was made from. */
export interface RenderedPage {
  response: Response;
  tables: ReadonlySet<string>;
  /** False where something could not be read: good enough for now, and not to be kept. */
  complete: boolean;
  /** When it stops being true without anything being written, in milliseconds since 1970. */
  expires: number;
}

export interface PageCache {
  /** The answer that is kept for a GET or HEAD request, if there is one; its URL is as it stands in the request line. */
  kept(asked: AskedPage): KeptAnswer | undefined;
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
    const { response, tables, complete, expires } = await render();
    if (response.status !== 200) return response;
    const page = await toPage(response, tables, Math.min(expires, Date.now() + lifetimeMs));
    // A write during the render may or may not be in it: answered once, not kept.
    if (complete && changes === changesBefore) {
      if (pages.size >= MOST_PAGES) pages.delete(pages.keys().next().value ?? key);
      pages.set(key, page);
    }
    return page;
  }

  function keptPage(key: string): CachedPage | undefined {
    const page = pages.get(key);
    if (!page || page.expires > Date.now()) return page;
    pages.delete(key);
    return undefined;
  }

  return {
    kept(asked) {
      if (asked.method !== "GET" && asked.method !== "HEAD") return undefined;
      const page = keptPage(asked.url ?? "");
      return page && chosenAnswer(page, asked);
    },
    async respond(request, render) {
      const key = new URL(request.url).pathname;
      const kept = keptPage(key);
      if (kept) return toResponse(request, kept);

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
  const etag = `W/"${digest.toBase64({ alphabet: "base64url" }).slice(0, 22)}"`;
  const headers = {
    ...Object.fromEntries(response.headers),
    etag,
    "cache-control": "public, max-age=0, must-revalidate",
    vary: "Accept-Encoding",
  };
  const answer = (body: Uint8Array<ArrayBuffer>, encoding?: Encoding): KeptAnswer => ({
    status: 200,
    headers: { ...headers, ...(encoding && { "content-encoding": encoding }), "content-length": String(body.byteLength) },
    body,
  });
  return {
    answers: {
      identity: answer(identity),
      gzip: answer(await gzipped(identity), "gzip"),
      br: answer(await brotlied(identity, BROTLI), "br"),
    },
    unchanged: { status: 304, headers, body: null },
    etag,
    tables,
    expires,
  };
}

function chosenAnswer(page: CachedPage, { method, headers }: AskedPage): KeptAnswer {
  if (headers["if-none-match"]?.includes(page.etag)) return page.unchanged;
  const answer = page.answers[acceptedEncoding(String(headers["accept-encoding"] ?? ""))];
  return method === "HEAD" ? { ...answer, body: null } : answer;
}

function toResponse({ method, headers: asked }: Request, page: CachedPage): Response {
  const encoding = asked.get("accept-encoding") ?? undefined;
  const tag = asked.get("if-none-match") ?? undefined;
  const { status, headers, body } = chosenAnswer(page, { method, headers: { "accept-encoding": encoding, "if-none-match": tag } });
  return new Response(body, { status, headers });
}

function acceptedEncoding(accepted: string): Encoding {
  if (/\bbr\b(?!;q=0(?:\.0*)?(?:,|$))/.test(accepted)) return "br";
  return /\bgzip\b(?!;q=0(?:\.0*)?(?:,|$))/.test(accepted) ? "gzip" : "identity";
}
