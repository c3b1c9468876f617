import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Connection } from "../connection.ts";
import type { Database } from "../db/database.ts";
import type { Identify, Identity } from "../identity.ts";
import { createSchemaCache } from "./schema/schema-cache.ts";
import { preflight } from "./response/headers.ts";
import { errorResponse } from "./response/error-response.ts";
import { RestError } from "./errors.ts";
import { execute } from "./execute.ts";
import { withHint } from "./hint.ts";
import { openApiResponse } from "./response/openapi.ts";
import { relationsOf } from "./plan/relations.ts";
import { createPrepare } from "./prepare.ts";
import { readBody } from "./request/body.ts";
import { BASE_PATH } from "./request/request.ts";
import { quote } from "./query/sql.ts";

export interface RestOptions {
  database: Database;
  identify: Identify;
  config: Pick<Config, "api">;
  log: Logger;
}

export interface Rest {
  /** Answers a request and adds the tables it reads to `connection.relations`, if that is set. */
  fetch(request: Request, connection?: Pick<Connection, "relations">): Promise<Response>;
  reload(): Promise<void>;
}

/**
 * Creates `/rest/v1`: PostgREST's API for the schemas that `config.toml` exposes. A request is parsed, planned against the
 * schema cache, written as one statement and run as its caller; `reload` loads the schema cache again.
 */
export function createRest(options: RestOptions): Rest {
  const { database, identify, log } = options;
  const settings = { ...options.config.api, searchPaths: searchPathsOf(options.config.api) };
  const schema = createSchemaCache(database, settings.schemas, log);
  const prepare = createPrepare(settings);

  async function answer(request: Request, relations: Set<string> | undefined): Promise<Response> {
    const context = { authenticated: false, log };
    try {
      const identity = await identify(request);
      context.authenticated = identity.authenticated;
      return await answerTo(identity, request, relations);
    } catch (error) {
      return errorResponse(error, { ...context, abandoned: request.signal.aborted });
    }
  }

  async function answerTo(identity: Identity, request: Request, relations: Set<string> | undefined): Promise<Response> {
    const url = new URL(request.url);
    const { method, headers, signal } = request;
    const body = await readBody(request);
    const cache = await schema.get();
    try {
      const prepared = prepare({ method, url, headers, body }, cache);
      if (prepared.query === null) return openApiResponse(identity, cache, prepared.request);
      if (relations) for (const name of relationsOf(prepared.plan, cache)) relations.add(name);
      const path = url.pathname.slice(BASE_PATH.length);
      return await execute(prepared, { database, identity, path, headers, signal, settings });
    } catch (error) {
      throw error instanceof RestError ? await withHint(error, database, identity) : error;
    }
  }

  return {
    async fetch(request, connection) {
      if (request.method === "OPTIONS") return preflight(request);
      const response = await answer(request, connection?.relations);
      return request.method === "HEAD" ? new Response(null, response) : response;
    },
    reload: schema.reload,
  };
}

function searchPathsOf({ schemas, extra_search_path: more }: RestOptions["config"]["api"]): ReadonlyMap<string, string> {
  return new Map(schemas.map((schema) => [schema, [...new Set([schema, ...more])].map(quote).join(", ")]));
}
