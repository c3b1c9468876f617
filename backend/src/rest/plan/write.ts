import * as SQLSTATE from "../../sqlstates.ts";
import type { Payload } from "../request/body.ts";
import { RestError } from "../errors.ts";
import type { Filter } from "../request/filter.ts";
import { planRead, planWhere, tableRoot, type PlanSettings } from "./read.ts";
import type { Change, Conflict, PlannedCondition, WritePlan } from "./plan.ts";
import type { RestRequest } from "../request/request.ts";
import type { Column, SchemaCache, Table } from "../schema/schema.ts";

/** Plans POST, PATCH, PUT and DELETE on a table. Fails with PGRST108 or 204, 21000 without a filter, and for PUT with PGRST105, 114 or 115. */
export function planWrite(request: RestRequest, table: Table, schema: SchemaCache, settings: PlanSettings): WritePlan {
  const { representation } = request.preferences;
  // Planned even if no row is returned, so that a filter on an unknown embed is refused and not ignored.
  const rows = planRead(tableRoot(table), request.parameters, schema, settings, { written: true, range: null });
  const hasLocation = request.method === "POST" && representation === "headers-only" && table.primaryKey.length > 0;
  return {
    kind: "write",
    table,
    scope: { alias: table.name, typeOf: rows.typeOf },
    change: planChange(request, table),
    returning: representation === "representation" ? rows : null,
    location: hasLocation ? table.primaryKey : null,
  };
}

function planChange(request: RestRequest, table: Table): Change {
  const { method, parameters, payload, preferences } = request;
  if (method === "DELETE" || !payload) return { kind: "delete", where: requireFilter("DELETE", planWhere(parameters)) };
  const columns = (parameters.columns ?? payload.keys).map((name) => requireColumn(table, name));
  const defaults = preferences.missing === "default";
  if (method === "PATCH") {
    const where = planWhere(parameters);
    return { kind: "update", columns, payload, defaults, where: columns.length === 0 ? where : requireFilter("UPDATE", where) };
  }
  if (method === "PUT") {
    checkPut(request, table, payload);
    const conflict: Conflict = { columns: table.primaryKey, resolution: "merge-duplicates" };
    return { kind: "insert", columns, payload, defaults: false, conflict };
  }
  const target = parameters.onConflict ?? table.primaryKey;
  const { resolution } = preferences;
  const conflict = resolution && target.length > 0 ? { columns: target, resolution } : null;
  return { kind: "insert", columns, payload, defaults, conflict };
}

// As on hosted projects, where the extension safeupdate refuses to change a whole table by mistake.
function requireFilter(command: string, where: readonly PlannedCondition[]): readonly PlannedCondition[] {
  if (where.length > 0) return where;
  throw new RestError(400, SQLSTATE.cardinalityViolation, `${command} requires a WHERE clause`);
}

function requireColumn(table: Table, name: string): Column {
  const column = table.columns.get(name);
  if (column) return column;
  throw new RestError(400, "PGRST204", `Could not find the '${name}' column of '${table.name}' in the schema cache`);
}

function checkPut({ parameters }: RestRequest, table: Table, payload: Payload): void {
  if (parameters.limits.length > 0 || parameters.offsets.length > 0)
    throw new RestError(400, "PGRST114", "limit/offset querystring parameters are not allowed for PUT");
  const filters = parameters.conditions
    .map(({ condition }) => condition)
    .filter((condition): condition is Filter => condition.kind === "filter");
  const keys = filters
    .filter(({ test, negated }) => test.kind === "compare" && test.operator === "eq" && !negated)
    .map(({ field }) => field.name);
  const exact = keys.length === parameters.conditions.length && keys.length === table.primaryKey.length;
  if (!exact || keys.length === 0 || !table.primaryKey.every((column) => keys.includes(column)))
    throw new RestError(405, "PGRST105", "Filters must include all and only primary key columns with 'eq' operators");
  const [row]: unknown[] = payload.kind === "array" ? JSON.parse(payload.text) : [JSON.parse(payload.text)];
  const same = filters.every(
    ({ field, test }) =>
      test.kind === "compare" && typeof row === "object" && row !== null && String(Reflect.get(row, field.name)) === test.value,
  );
  if (!same || payload.rows !== 1) throw new RestError(400, "PGRST115", "Payload values do not match URL in primary key column(s)");
}
