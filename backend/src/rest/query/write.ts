import type { Change, Embed, PlannedCondition, ReadNode, WritePlan } from "../plan/plan.ts";
import { whereSql } from "./conditions.ts";
import { PAYLOAD, payloadSql } from "./payload.ts";
import { columnOf, qualified, quote, type Values } from "./sql.ts";

/** The alias of the rows a write returns. */
export const WRITTEN = "#written";
/** The setting in which an upsert counts updated rows, until the transaction ends. */
export const UPDATES_SETTING = "rest.upsert_updates";

/** Writes the INSERT, UPDATE or DELETE of a plan; RETURNING lists the columns that the response needs. */
export function changeSql(plan: WritePlan, values: Values): string {
  const { table, change } = plan;
  const target = `${qualified(table)} as ${quote(table.name)}`;
  const returning = ` returning ${returningSql(plan)}`;
  switch (change.kind) {
    case "insert":
      return `insert into ${target}${insertSql(change, values)}${conflictSql(change)}${returning}`;
    case "update": {
      // As in PostgREST: an UPDATE must set a column, and the caller may have none that it may write.
      if (change.columns.length === 0) return `select ${returningSql(plan)} from ${target} where false`;
      // Only the first object of an array: a row updated from several objects would take values from any of them.
      const sets = change.columns.map(({ name }) => `${quote(name)} = ${columnOf(PAYLOAD, name)}`).join(", ");
      return `update ${target} set ${sets} from ${payloadSql(change.columns, change.payload, values, { defaults: change.defaults, first: true })}${filterSql(change.where, plan, values)}${returning}`;
    }
    case "delete":
      return `delete from ${target}${filterSql(change.where, plan, values)}${returning}`;
  }
}

function filterSql(where: readonly PlannedCondition[], { scope }: WritePlan, values: Values): string {
  const sql = whereSql(where, scope, values);
  return sql === "" ? "" : ` where ${sql}`;
}

type Insert = Extract<Change, { kind: "insert" }>;

function insertSql({ columns, payload, defaults }: Insert, values: Values): string {
  // Objects without keys are rows of defaults.
  if (columns.length === 0)
    return payload.kind === "array" ? ` select from json_array_elements(${values.as(payload.text, "json")})` : " default values";
  const names = columns.map(({ name }) => quote(name)).join(", ");
  const picked = columns.map(({ name }) => columnOf(PAYLOAD, name)).join(", ");
  return ` (${names}) select ${picked} from ${payloadSql(columns, payload, values, { defaults })}`;
}

// Counted in the condition, which needs no SELECT privilege and works on views; the row's xmax does neither.
const COUNT_UPDATE = `set_config('${UPDATES_SETTING}', (coalesce(nullif(current_setting('${UPDATES_SETTING}', true), ''), '0')::integer + 1)::text, true) is not null`;

function conflictSql({ conflict, columns }: Insert): string {
  if (!conflict) return "";
  const target = ` on conflict (${conflict.columns.map(quote).join(", ")})`;
  if (conflict.resolution === "ignore-duplicates" || columns.length === 0) return `${target} do nothing`;
  const sets = columns.map(({ name }) => `${quote(name)} = excluded.${quote(name)}`).join(", ");
  return `${target} do update set ${sets} where ${COUNT_UPDATE}`;
}

// Only the requested columns, so that a role without SELECT on a column can still write the row.
function returningSql({ table, returning, location }: WritePlan): string {
  const all = returning?.items.some((item) => item.kind === "star") ?? false;
  const names = new Set([...(location ?? []), ...(returning ? namesIn(returning) : [])]);
  const named = [...names]
    .filter((name) => !all || !table.columns.has(name))
    .map((name) => `${columnOf(table.name, name)} as ${quote(name)}`);
  const list = all ? [`${quote(table.name)}.*`, ...named] : named;
  if (returning?.wholeRow) list.push(`(${quote(table.name)}.*)::${qualified(table)} as ${quote(returning.wholeRow)}`);
  return list.length === 0 ? "1" : list.join(", ");
}

function namesIn(node: ReadNode): string[] {
  const fields = node.items.flatMap((item) => (item.kind === "field" && item.field ? [item.field.name] : []));
  const orders = node.order.flatMap(({ embed, field }) => (embed ? [] : [field.name]));
  return [...fields, ...orders, ...node.embeds.flatMap(keysOf)];
}

function keysOf({ relationship }: Embed): string[] {
  switch (relationship.kind) {
    case "key":
      return relationship.columns.map(([own]) => own);
    case "junction":
      return relationship.entry.map(([own]) => own);
    case "computed":
      return [];
  }
}
