import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { DatabaseBudget } from "../anonymous/database-budget.ts";
import { maxBodyBytes } from "../body/body-limit.ts";
import { clientNetwork } from "../client-network.ts";
import { IN_PROCESS, type Connection } from "../connection.ts";
import type { Database } from "../db/database.ts";
import type { Identify, Identity } from "../identity.ts";
import { createAsCaller } from "./as-caller.ts";
import { createBodyBudget } from "./body-budget.ts";
import { buildSchemaCache } from "./schema/build-schema.ts";
import { readCatalogue } from "./schema/catalogue.ts";
import { cacheSchema } from "./schema/schema-cache.ts";
import { readSettings, type ApiSettings } from "./settings.ts";
import { preflight } from "./response/headers.ts";
import { errorResponse } from "./response/error-response.ts";
import { RestError } from "./errors.ts";
import { execute } from "./execute.ts";
import { withHint } from "./hint.ts";
import { openApiResponse } from "./response/openapi.ts";
import { relationsOf } from "./plan/relations.ts";
import { createPrepare } from "./prepare.ts";
import { readBody } from "./request/body.ts";
import { BASE_PATH, type Target } from "./request/request.ts";
import { quote } from "./query/sql.ts";

interface RestOptions {
  database: Database;
  identify: Identify;
  config: Pick<Config, "api">;
  /** The budget of anonymous callers, shared with the realtime API. */
  budget: DatabaseBudget;
  log: Logger;
}

interface Rest {
  /** Answers a request and adds the tables it reads to `connection.relations`, if that is set. */
  fetch(request: Request, connection?: Connection): Promise<Response>;
  reload(): Promise<void>;
}

/**
 * Creates `/rest/v1`: PostgREST's API for the schemas that `config.toml` exposes. A request is parsed, planned against the
 * schema cache, written as one statement and run as its caller; `reload` loads the schema cache and its settings again.
 */
export function createRest(options: RestOptions): Rest {
  const { database, identify, budget, log } = options;
  const cached = cacheSchema(database, load, log);
  const asCaller = createAsCaller(database, budget);
  const bodies = createBodyBudget();

  async function load() {
    const api = await readSettings(database, options.config.api, log);
    const schema = buildSchemaCache(await readCatalogue(database, api.schemas, api.extra_search_path));
    const settings = { ...api, searchPaths: searchPathsOf(api) };
    return { schema, settings, prepare: createPrepare(schema, settings) };
  }

  async function answer(request: Request, connection: Connection): Promise<Response> {
    const context = { authenticated: false, log };
    let response: Response;
    try {
      const identity = await identify(request);
      context.authenticated = identity.authenticated;
      response = await answerTo(identity, request, connection);
    } catch (error) {
      response = errorResponse(error, { ...context, abandoned: request.signal.aborted });
    }
    // SQL may set a header of its own in `response.headers`.
    if (context.authenticated && !response.headers.has("cache-control")) response.headers.set("Cache-Control", "no-store");
    return response;
  }

  async function answerTo(
    identity: Identity,
    request: Request,
    { clientAddress, inProcess, relations, onRoute }: Connection,
  ): Promise<Response> {
    const url = new URL(request.url);
    const { method, headers, signal } = request;
    const network = identity.role === "anon" && !inProcess ? clientNetwork(clientAddress) : null;
    if (network !== null) budget.check(network);
    const caller = { identity, network, signal };
    using counted = bodies.open(identity.role);
    const body = await readBody(request, maxBodyBytes(identity.role), counted.add);
    const { schema, settings, prepare } = await cached.get();
    try {
      const prepared = prepare({ method, url, headers, body, limited: identity.role !== "service_role" });
      onRoute?.(routeOf(prepared.request.target));
      if (prepared.query === null) return openApiResponse(identity, schema, prepared.request);
      if (relations) for (const name of relationsOf(prepared.plan, schema)) relations.add(name);
      return await execute(prepared, { asCaller, caller, path: url.pathname.slice(BASE_PATH.length), headers, settings });
    } catch (error) {
      throw error instanceof RestError ? await withHint(error, asCaller, caller) : error;
    }
  }

  return {
    async fetch(request, connection = IN_PROCESS) {
      if (request.method === "OPTIONS") return preflight(request);
      const response = await answer(request, connection);
      return request.method === "HEAD" ? new Response(null, response) : response;
    },
    reload: cached.reload,
  };
}

function searchPathsOf({ schemas, extra_search_path: more }: ApiSettings): ReadonlyMap<string, string> {
  return new Map(schemas.map((schema) => [schema, [...new Set([schema, ...more])].map(quote).join(", ")]));
}

/** The address of a table or function that exists. */
function routeOf(target: Target): string {
  if (target.kind === "root") return `${BASE_PATH}/`;
  return target.kind === "function" ? `${BASE_PATH}/rpc/${target.name}` : `${BASE_PATH}/${target.name}`;
}
