import { parseFilter, type Filter, type Test } from "./request/filter.ts";
import { planRequest } from "./plan/plan-request.ts";
import type { OpenApiPlan, Plan } from "./plan/plan.ts";
import type { PlanSettings } from "./plan/read.ts";
import { writeQuery, type Query } from "./query/query.ts";
import { outlineRead, readText, type Outline } from "./read-outline.ts";
import { createRecent } from "./recent.ts";
import { parseRequest, type RawRequest, type RequestSettings, type RestRequest } from "./request/request.ts";
import type { SchemaCache } from "./schema/schema.ts";
import { withTests } from "./query/sql.ts";

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

/** A read as it was prepared first, with the filters whose values the next one of its shape brings anew. */
interface Kept {
  prepared: Prepared;
  filters: ReadonlyMap<number, Filter>;
}

/**
 * Makes a `prepareRequest` that remembers the reads it saw last, and the shapes of reads, until the schema is another: pages
 * ask the same few questions again and again, or for one id or another. What is remembered holds nothing of who asked.
 */
export function createPrepare(settings: PrepareSettings): (raw: RawRequest, schema: SchemaCache) => Prepared {
  let of: SchemaCache | null = null;
  const reads = createRecent<Prepared>(MOST_KEPT);
  const shapes = createRecent<Kept>(MOST_KEPT);

  function prepareRead(raw: RawRequest, schema: SchemaCache): Prepared {
    const outline = outlineRead(raw);
    if (!outline) return prepareRequest(raw, schema, settings);
    const known = shapes.get(outline.key);
    if (known) return filledAnew(known, outline);
    const prepared = prepareRequest(raw, schema, settings);
    const kept = keep(prepared, outline);
    if (kept) shapes.set(outline.key, kept);
    return prepared;
  }

  return function prepare(raw, schema) {
    if (of !== schema) {
      reads.clear();
      shapes.clear();
    }
    of = schema;
    const text = readText(raw);
    if (text === null) return prepareRead(raw, schema);
    const same = reads.get(text);
    if (same) return same;
    const prepared = prepareRead(raw, schema);
    reads.set(text, prepared);
    return prepared;
  };
}

/** Null where something only looked like a filter: then its value may have decided the SQL. */
function keep(prepared: Prepared, outline: Outline): Kept | null {
  const { conditions } = prepared.request.parameters;
  const filters = new Map(
    conditions.flatMap(({ condition, parameter }) => (condition.kind === "filter" ? [[parameter, condition] as const] : [])),
  );
  return outline.filters.every(({ parameter }) => filters.has(parameter)) ? { prepared, filters } : null;
}

/** A read of a known shape with the values it brings. Fails with PGRST100. */
function filledAnew({ prepared, filters }: Kept, outline: Outline): Prepared {
  if (prepared.query === null || outline.filters.length === 0) return prepared;
  const tests = new Map<Test, Test>();
  for (const { parameter, text } of outline.filters) {
    const filter = filters.get(parameter);
    if (filter) tests.set(filter.test, parseFilter(filter.field, text).test);
  }
  const { main, estimate } = prepared.query;
  return { ...prepared, query: { main: withTests(main, tests), estimate: estimate && withTests(estimate, tests) } };
}
