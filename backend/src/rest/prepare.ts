import { planRequest } from "./planner.ts";
import type { OpenApiPlan, Plan } from "./plan.ts";
import type { PlanSettings } from "./plan-read.ts";
import { writeQuery, type Query } from "./query.ts";
import { parseRequest, type RawRequest, type RequestSettings, type RestRequest } from "./request.ts";
import type { SchemaCache } from "./schema.ts";

/** A request after the three pure stages: what was asked, what that means, and the SQL it comes down to. */
export type Prepared =
  | { request: RestRequest; plan: Exclude<Plan, OpenApiPlan>; query: Query }
  | { request: RestRequest; plan: OpenApiPlan; query: null };

export type PrepareSettings = RequestSettings & PlanSettings;

/** Parses, plans and writes a request; pure. Fails with a `RestError`. */
export function prepareRequest(raw: RawRequest, schema: SchemaCache, settings: PrepareSettings): Prepared {
  const request = parseRequest(raw, settings);
  const plan = planRequest(request, schema, settings);
  if (plan.kind === "openapi") return { request, plan, query: null };
  const shape = { media: request.media, body: request.method !== "HEAD", exactUpTo: settings.max_rows };
  return { request, plan, query: writeQuery(plan, shape) };
}

const MOST_KEPT = 200;
const LONGEST_KEY = 2000;
const READ_HEADERS = ["accept", "accept-profile", "prefer", "range"];

/**
 * Makes a `prepareRequest` that remembers the reads it saw last, until the schema is another: pages ask the same few
 * questions again and again, and what is remembered holds nothing of who asked.
 */
export function createPrepare(settings: PrepareSettings): (raw: RawRequest, schema: SchemaCache) => Prepared {
  let of: SchemaCache | null = null;
  const kept = new Map<string, Prepared>();
  return function prepare(raw, schema) {
    if (of !== schema) kept.clear();
    of = schema;
    const key = keyOf(raw);
    if (key === null) return prepareRequest(raw, schema, settings);
    const prepared = kept.get(key) ?? prepareRequest(raw, schema, settings);
    // Taken out and put back, the least recently used one is the first.
    kept.delete(key);
    kept.set(key, prepared);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return prepared;
  };
}

function keyOf({ method, url, headers }: RawRequest): string | null {
  if (method !== "GET" && method !== "HEAD") return null;
  const key = JSON.stringify([method, url.pathname, url.search, ...READ_HEADERS.map((name) => headers.get(name))]);
  return key.length > LONGEST_KEY ? null : key;
}
