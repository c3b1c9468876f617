import { access } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { maxBodyBytes } from "../body/body-limit.ts";
import { clientGone } from "../client-gone.ts";
import { CORS_HEADERS } from "../cors.ts";
import type { Connection } from "../connection.ts";
import { createPool } from "../db/pool.ts";
import { IdentityError } from "../errors.ts";
import type { ApiKeys, Identify } from "../identity.ts";
import { readBytes } from "../body/read-bytes.ts";

// supabase/cli, `FuncSlugPattern`.
const PATH = /^\/functions\/v1\/([A-Za-z][A-Za-z0-9_-]*)(?:\/.*)?$/;
const PREFIX = /^(https?:\/\/[^/]+)\/functions\/v1\//;

/** The requests to the other APIs that functions make for anonymous callers at the same time: other work waits for these at most. */
const ANONYMOUS_REQUESTS = [null, null];

export interface FunctionModule {
  default: { fetch(request: Request, context: { env: Record<string, string>; fetch: typeof fetch }): Promise<Response> | Response };
}

export interface FunctionsOptions {
  supabaseDir: string;
  config: Config;
  identify: Identify;
  keys: ApiKeys;
  /** The backend's own address, and the `fetch` that reaches it without the network. */
  url: string;
  fetch: typeof fetch;
  /** Imports the module of a function by its path; by default with Node. */
  importFile?: ((file: string) => Promise<FunctionModule>) | undefined;
  log: Logger;
}

/**
 * Makes `/functions/v1/<name>`, which runs `functions/<name>/index.ts` of the Supabase directory as a hosted project does.
 * A function that throws answers 500 with `{code: "internal_error"}`; an unknown one 404.
 */
export function createFunctions(options: FunctionsOptions): { fetch(request: Request, connection: Connection): Promise<Response> } {
  const { supabaseDir, config, identify, keys, url, importFile = (file) => import(pathToFileURL(file).href), log } = options;
  const context = {
    env: {
      ...config.edge_runtime.secrets,
      SUPABASE_URL: url,
      SUPABASE_PUBLISHABLE_KEY: keys.publishableKey,
      SUPABASE_SECRET_KEY: keys.secretKey,
    },
    fetch: options.fetch,
  };
  const turns = createPool(ANONYMOUS_REQUESTS);
  const anonymousContext = { ...context, fetch: (...request: Parameters<typeof fetch>) => turns.use(() => options.fetch(...request)) };

  // The file check takes longer than many functions.
  const modules = new Map<string, FunctionModule>();

  async function load(name: string): Promise<FunctionModule | undefined> {
    const known = modules.get(name);
    if (known) return known;
    const settings = config.functions[name];
    if (settings?.enabled === false) return undefined;
    const file = join(supabaseDir, "functions", name, "index.ts");
    const exists = await access(file).then(
      () => true,
      () => false,
    );
    if (!exists) return undefined;
    const loaded = await importFile(file);
    modules.set(name, loaded);
    return loaded;
  }

  /** Returns the caller's role; `anon` for an unknown caller of a function that verifies its callers itself. */
  async function roleOf(request: Request, name: string): Promise<string> {
    try {
      return (await identify(request)).role;
    } catch (error) {
      const isOpen = request.method === "OPTIONS" || config.functions[name]?.verify_jwt === false;
      if (error instanceof IdentityError && isOpen) return "anon";
      throw error;
    }
  }

  return {
    async fetch(request, { clientAddress, onRoute }) {
      const name = PATH.exec(new URL(request.url).pathname)?.[1];
      const found = name === undefined ? undefined : await load(name);
      if (name === undefined || !found) return answer(404, "function_not_found", "There is no function of this name.");
      onRoute?.(`/functions/v1/${name}`);
      try {
        const role = await roleOf(request, name);
        const passed = await withShortBody(request, maxBodyBytes(role));
        if (!passed) return answer(413, "body_too_large", "The body is too large.");
        // As in a hosted project; the value of the client is overwritten.
        passed.headers.set("X-Forwarded-For", clientAddress);
        return await found.default.fetch(passed, role === "anon" ? anonymousContext : context);
      } catch (error) {
        if (error instanceof IdentityError) return answer(401, "unauthorized", error.message);
        if (request.signal.aborted) return clientGone();
        log.error({ err: error, function: name }, "function failed");
        return answer(500, "internal_error", "The function failed.");
      }
    },
  };
}

/**
 * Returns the request as the function sees it, at `/<name>`, with its body in memory if it states no length; null if the body is
 * too long.
 */
async function withShortBody(request: Request, maxBytes: number): Promise<Request | null> {
  const { method, headers, signal } = request;
  const url = request.url.replace(PREFIX, "$1/");
  const length = headers.get("content-length");
  if (length !== null && Number(length) <= maxBytes) return new Request(url, request);
  const body = await readBytes(request, maxBytes);
  return body && new Request(url, { method, headers, signal, ...(body.length > 0 ? { body } : {}) });
}

function answer(status: number, code: string, message: string): Response {
  return Response.json({ code, message }, { status, headers: CORS_HEADERS });
}
