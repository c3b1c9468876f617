import { hasAggregates, type Embed, type PlannedCondition, type PlannedOrder, type ReadNode } from "../plan/plan.ts";
import { whereSql } from "./conditions.ts";
import { outputsOf, sortingColumns, sortingSql, spreadColumns, spreadName, type OutputStyle } from "./outputs.ts";
import type { ColumnPairs } from "../schema/schema.ts";
import { columnOf, fieldSql, qualified, quote, type Values } from "./sql.ts";

/** The FROM item of a level, and the condition that joins it to the level above. */
interface Placement {
  from: string;
  on: string;
}

/** Writes the SELECT of a tree; `from` is the FROM item of the root. */
export function selectSql(node: ReadNode, from: string, values: Values): string {
  return levelSql(node, { from, on: "" }, hasAggregates(node) ? "grouped" : "plain", values);
}

/** Writes the root's rows without limit and offset, for counting; without embeds that do not change the count. */
export function countedSql(node: ReadNode, from: string, values: Values): string {
  if (hasAggregates(node)) return levelSql({ ...node, order: [], limit: null, offset: 0 }, { from, on: "" }, "grouped", values);
  const needed = node.embeds.filter((embed) => embed.inner || node.where.some((condition) => mentions(condition, embed)));
  const joins = needed.map((embed) => joinSql(embed, node, values)).join("");
  return `select 1 from ${from}${joins}${whereClause([whereSql(node.where, node, values)])}`;
}

function mentions(condition: PlannedCondition, embed: Embed): boolean {
  if (condition.kind === "presence") return condition.embed === embed;
  return condition.kind !== "filter" && condition.conditions.some((inner) => mentions(inner, embed));
}

function levelSql(node: ReadNode, placement: Placement, style: OutputStyle, values: Values, more: readonly string[] = []): string {
  const outputs = outputsOf(node, style, values);
  const columns = outputs.map(({ sql, label }, index) => {
    if (style === "spread") return `${sql} as ${spreadName(index)}`;
    return label === null ? sql : `${sql} as ${quote(label)}`;
  });
  return `select ${[...columns, ...more].join(", ")}${rowsSql(node, placement, values)}${groupSql(style, outputs)}${tailSql(node, values)}`;
}

function rowsSql(node: ReadNode, { from, on }: Placement, values: Values): string {
  const joins = node.embeds.map((embed) => joinSql(embed, node, values)).join("");
  return ` from ${from}${joins}${whereClause([on, whereSql(node.where, node, values)])}`;
}

function whereClause(conditions: readonly string[]): string {
  const given = conditions.filter((condition) => condition !== "");
  return given.length === 0 ? "" : ` where ${given.join(" and ")}`;
}

function groupSql(style: OutputStyle, outputs: readonly { sql: string; aggregated: boolean }[]): string {
  const keys = outputs.filter(({ aggregated }) => !aggregated).map(({ sql }) => sql);
  return style === "grouped" && keys.length > 0 ? ` group by ${keys.join(", ")}` : "";
}

// A join has the columns `here` (true if there is a row), `body` or c1, c2 … (its content), and o1, o2 … (fields that the
// parent is ordered by). A row is written r.*, because a bare r would mean a column of that name.
function joinSql(embed: Embed, parent: ReadNode, values: Values): string {
  const { relationship, node, spread, inner } = embed;
  const placement = placeEmbed(embed, parent);
  const content = relationship.toOne
    ? oneSql(embed, placement, values)
    : manySql(node, placement, spread ? spreadColumns(embed).length : null, values);
  const kind = inner ? "join" : "left join";
  const on = inner && !relationship.toOne ? columnOf(embed.alias, "here") : "true";
  return ` ${kind} lateral (${content}) as ${quote(embed.alias)} on ${on}`;
}

function oneSql({ node, spread, sorting }: Embed, placement: Placement, values: Values): string {
  const sorts = sorting.map((field, index) => `${sortingSql(field, node, values)} as o${index + 1}`);
  if (spread) return levelSql(node, placement, "spread", values, [...sorts, "true as here"]);
  if (sorts.length === 0) {
    const style = hasAggregates(node) ? "grouped" : "plain";
    return `select row_to_json(r.*) as body, true as here from (${levelSql(node, placement, style, values)}) as r`;
  }
  // The fields that the parent is ordered by are columns beside the body.
  const columns = outputsOf(node, "plain", values).map(({ sql, label }) => (label === null ? sql : `${sql} as ${quote(label)}`));
  const body = `(select row_to_json(r.*) from (select ${columns.join(", ")}) as r) as body`;
  return `select ${[body, ...sorts, "true as here"].join(", ")}${rowsSql(node, placement, values)}${tailSql(node, values)}`;
}

function manySql(node: ReadNode, placement: Placement, spreadCount: number | null, values: Values): string {
  const style = spreadCount !== null ? "spread" : hasAggregates(node) ? "grouped" : "plain";
  const rows = levelSql(node, placement, style, values);
  const list = (what: string, name: string): string => `coalesce(json_agg(${what}), '[]') as ${name}`;
  const content =
    spreadCount === null
      ? [list("r.*", "body")]
      : Array.from({ length: spreadCount }, (_, index) => list(`r.${spreadName(index)}`, spreadName(index)));
  return `select ${[...content, "count(*) > 0 as here"].join(", ")} from (${rows}) as r`;
}

function placeEmbed({ relationship, node, alias }: Embed, parent: ReadNode): Placement {
  const own = quote(node.alias);
  switch (relationship.kind) {
    case "key":
      return { from: `${qualified(relationship.to)} as ${own}`, on: pairSql(relationship.columns, parent.alias, node.alias) };
    case "junction": {
      const between = `${alias}~${relationship.junction.name}`;
      const exit = pairSql(relationship.exit, between, node.alias);
      const from = `${qualified(relationship.to)} as ${own} join ${qualified(relationship.junction)} as ${quote(between)} on ${exit}`;
      return { from, on: pairSql(relationship.entry, parent.alias, between) };
    }
    case "computed":
      return { from: `${qualified(relationship.routine)}(${rowSql(parent)}) as ${own}`, on: "" };
  }
}

function rowSql({ alias, wholeRow }: ReadNode): string {
  return wholeRow === null ? `${quote(alias)}.*` : columnOf(alias, wholeRow);
}

function pairSql(columns: ColumnPairs, left: string, right: string): string {
  return columns.map(([own, other]) => `${columnOf(left, own)} = ${columnOf(right, other)}`).join(" and ");
}

function tailSql(node: ReadNode, values: Values): string {
  const limit = node.limit === null ? "" : ` limit ${values.as(String(node.limit), "bigint")}`;
  const offset = node.offset === 0 ? "" : ` offset ${values.as(String(node.offset), "bigint")}`;
  return `${orderSql(node.order, node, values)}${limit}${offset}`;
}

function orderSql(order: readonly PlannedOrder[], node: ReadNode, values: Values): string {
  if (order.length === 0) return "";
  const related = new Map(node.embeds.flatMap((embed) => [...sortingColumns(embed)]));
  const terms = order.map(({ field, descending, nulls }) => {
    const sql = related.get(field) ?? fieldSql(field, node, values).sql;
    return `${sql}${descending ? " desc" : ""}${nulls === null ? "" : ` nulls ${nulls}`}`;
  });
  return ` order by ${terms.join(", ")}`;
}
