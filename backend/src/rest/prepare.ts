import { LRUCache } from "lru-cache";
import { planRequest } from "./plan/plan-request.ts";
import type { OpenApiPlan, Plan } from "./plan/plan.ts";
import type { PlanSettings } from "./plan/read.ts";
import { writeQuery, type Query } from "./query/query.ts";
import { refuseCostlyPatterns } from "./request/costly-patterns.ts";
import { refuseRepeatedColumns } from "./request/repeated-columns.ts";
import { parseRequest, type RawRequest, type RequestSettings, type RestRequest } from "./request/request.ts";
import type { SchemaCache } from "./schema/schema.ts";

/** A request after the three pure stages: the parsed request, its plan and its SQL. */
export type Prepared =
  | { request: RestRequest; plan: Exclude<Plan, OpenApiPlan>; query: Query }
  | { request: RestRequest; plan: OpenApiPlan; query: null };

type PrepareSettings = RequestSettings & PlanSettings;

/** Parses and plans a request and writes its SQL; pure. Fails with a `RestError`. */
export function prepareRequest(raw: RawRequest, schema: SchemaCache, settings: PrepareSettings): Prepared {
  const request = parseRequest(raw, settings);
  if (raw.limited) {
    refuseCostlyPatterns(request);
    refuseRepeatedColumns(request);
  }
  const plan = planRequest(request, schema, settings);
  if (plan.kind === "openapi") return { request, plan, query: null };
  const shape = { media: request.media, body: request.method !== "HEAD", exactUpTo: settings.max_rows };
  return { request, plan, query: writeQuery(plan, shape) };
}

const STATEMENT_CACHE_SIZE = 200;
/** In characters of SQL; a short URL can make a long statement. */
const STATEMENT_CACHE_LENGTH = 2_000_000;

/**
 * Creates a `prepareRequest` for one schema with a statement cache: reads with the same URL and headers are prepared once. An
 * entry contains no information about the caller, except that it has the secret key.
 */
export function createPrepare(schema: SchemaCache, settings: PrepareSettings): (raw: RawRequest) => Prepared {
  const cache = new LRUCache<string, Prepared>({
    max: STATEMENT_CACHE_SIZE,
    maxSize: STATEMENT_CACHE_LENGTH,
    sizeCalculation: ({ query }) => query?.main.text.length ?? 1,
  });

  return function prepare(raw) {
    const key = cacheKey(raw);
    const cached = key === null ? undefined : cache.get(key);
    if (cached) return cached;
    const prepared = prepareRequest(raw, schema, settings);
    if (key !== null) cache.set(key, prepared);
    return prepared;
  };
}

const MAX_URL_LENGTH = 2000;
const READ_HEADERS = ["accept", "accept-profile", "prefer", "range"];

/** All parts of a read that decide its SQL; null for writes, for long URLs and for URLs that contain an API key. */
function cacheKey({ method, url, headers, limited }: RawRequest): string | null {
  const { href } = url;
  if ((method !== "GET" && method !== "HEAD") || href.length > MAX_URL_LENGTH || href.includes("apikey=")) return null;
  // Header values cannot contain line breaks.
  return [limited, method, href, ...READ_HEADERS.map((name) => headers.get(name))].join("\n");
}
