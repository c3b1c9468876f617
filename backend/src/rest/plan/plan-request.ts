import { RestError } from "../errors.ts";
import { planCall } from "./call.ts";
import { planRead, tableRoot, type PlanSettings } from "./read.ts";
import { planWrite } from "./write.ts";
import type { Plan } from "./plan.ts";
import type { RestRequest } from "../request/request.ts";
import type { SchemaCache } from "../schema/schema.ts";
import { MIN_SIMILARITY, mostSimilar } from "./similar.ts";

/** Plans a request against the schema; the second stage, pure. Fails with a `RestError`. */
export function planRequest(request: RestRequest, schema: SchemaCache, settings: PlanSettings): Plan {
  const { target, method } = request;
  if (target.kind === "root") return { kind: "openapi" };
  if (target.kind === "function") return planCall(request, target.name, schema, settings);
  const table = schema.table(request.schema, target.name);
  if (!table) throw notFound(request.schema, target.name, schema);
  if (method !== "GET" && method !== "HEAD") return planWrite(request, table, schema, settings);
  const node = planRead(tableRoot(table), request.parameters, schema, settings, { written: false, range: request.range });
  return { kind: "read", node, count: request.preferences.count };
}

function notFound(schema: string, name: string, cache: SchemaCache): RestError {
  const similar = mostSimilar(name, cache.tables(schema), (table) => table.name, MIN_SIMILARITY);
  return new RestError(404, "PGRST205", `Could not find the table '${schema}.${name}' in the schema cache`, {
    suggestions: similar.map((table) => ({
      kind: "table",
      oid: table.oid,
      hint: `Perhaps you meant the table '${schema}.${table.name}'`,
    })),
  });
}

/** Returns true if a plan runs in a read-only transaction: reads, calls with GET and calls of stable or immutable functions. */
export function isReadOnly(request: RestRequest, plan: Plan): boolean {
  if (request.method === "GET" || request.method === "HEAD") return true;
  return plan.kind === "call" && plan.routine.volatility !== "volatile";
}
