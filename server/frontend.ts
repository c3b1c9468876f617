import { readFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { fileURLToPath } from "node:url";
import { serveStatic } from "@hono/node-server/serve-static";
import type { MiddlewareHandler } from "hono";
import type { Site, SiteOptions } from "site/app/server/site.server.ts";

const ROOT = fileURLToPath(new URL("../site/", import.meta.url));
const CLIENT_BUILD = `${ROOT}build/client`;

type SiteModule = { createSite(options: SiteOptions): Promise<Site> };

/** The source of pages, scripts and styles. */
interface Frontend {
  createSite(options: Omit<SiteOptions, "readAsset">): Promise<Site>;
  /** Answers a request for a file. */
  files: MiddlewareHandler;
  /** Receives every request first. */
  before?: (next: () => void, ...request: Parameters<RequestListener>) => void;
  close(): Promise<void>;
}

/** The production build. */
export async function builtFrontend(): Promise<Frontend> {
  // On demand: without a build, development starts too.
  const { createSite } = await import("site/build");
  const stored = serveStatic({ root: CLIENT_BUILD, precompressed: true });
  return {
    createSite: (options) => createSite({ ...options, readAsset: (url) => readFile(CLIENT_BUILD + url, "utf8") }),
    files: async (context, next) => {
      const answer = await stored(context, next);
      if (!(answer instanceof Response)) return;
      const lasts = context.req.path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "public, max-age=3600";
      answer.headers.set("Cache-Control", lasts);
      answer.headers.set("X-Content-Type-Options", "nosniff");
      return answer;
    },
    close: () => Promise.resolve(),
  };
}

/** Builds the sources on request and replaces changed modules in open pages. */
export async function developmentFrontend(): Promise<Frontend> {
  const { createServer } = await import("vite");
  const vite = await createServer({ root: ROOT, server: { middlewareMode: true } });
  const latest = async (options: Omit<SiteOptions, "readAsset">): Promise<Site> => {
    const loaded = await vite.ssrLoadModule("./app/server/site.server.ts");
    const { createSite }: Partial<SiteModule> = loaded;
    if (!createSite) throw new Error("site/app/server/site.server.ts exports no createSite");
    return createSite({ ...options, readAsset: () => Promise.resolve("") });
  };
  return {
    createSite: (options) =>
      Promise.resolve({
        fetch: async (request, visitor) => (await latest(options)).fetch(request, visitor),
        findCached: () => undefined,
        routeOf: () => "other",
        mails: { send: async () => (await latest(options)).mails.send(), stop: () => Promise.resolve() },
        dropPages: () => {},
      }),
    files: (_context, next) => next(),
    before: (next, incoming, outgoing) => vite.middlewares(incoming, outgoing, next),
    close: () => vite.close(),
  };
}
