import { fieldLabel, type Field } from "../request/field.ts";
import type { Embed, ReadNode } from "../plan/plan.ts";
import type { FieldItem } from "../request/select.ts";
import { columnOf, fieldSql, quote, typeName, type Values } from "./sql.ts";

/** One column of a result; a label of null stands for all columns of the row. */
export interface Output {
  sql: string;
  label: string | null;
  aggregated: boolean;
}

/** The form of a level's columns: unchanged, grouped, or for the parent they are spread into. */
export type OutputStyle = "plain" | "grouped" | "spread";

/** Writes the selected columns of a level. */
export function outputsOf(node: ReadNode, style: OutputStyle, values: Values): Output[] {
  return node.items.flatMap((item): Output[] => {
    switch (item.kind) {
      case "star":
        if (style === "plain" && node.wholeRow === null) return [{ sql: `${quote(node.alias)}.*`, label: null, aggregated: false }];
        return node.columns.map((name) => ({ sql: columnOf(node.alias, name), label: name, aggregated: false }));
      case "field":
        return [fieldOutput(item, style, node, values)];
      case "embed":
        return embedOutputs(item.embed, style);
    }
  });
}

function fieldOutput(item: FieldItem, style: OutputStyle, node: ReadNode, values: Values): Output {
  const { field, alias, cast, aggregate } = item;
  const label = alias ?? aggregate?.function ?? (field && fieldLabel(field));
  // `count()` without a field counts rows; when spread, it counts a value that is null without a row.
  const all = style === "spread" ? "true" : "*";
  const found = field === null ? all : fieldSql(field, node, values).sql;
  const sql = cast === null ? found : `${found}::${typeName(cast)}`;
  if (!aggregate || style === "spread") return { sql, label, aggregated: false };
  return { sql: aggregateSql(aggregate, sql), label, aggregated: true };
}

function aggregateSql({ function: name, cast }: NonNullable<FieldItem["aggregate"]>, sql: string): string {
  return `${name}(${sql})${cast === null ? "" : `::${typeName(cast)}`}`;
}

// The type json has no equality, so a grouped level uses the results of embeds as jsonb.
function embedOutputs(embed: Embed, style: OutputStyle): Output[] {
  const cast = style === "grouped" ? "::jsonb" : "";
  if (embed.node.items.length === 0) return [];
  if (!embed.spread) return [{ sql: `${columnOf(embed.alias, "body")}${cast}`, label: embed.label, aggregated: false }];
  return spreadColumns(embed).map(({ label, column, aggregate }) => {
    const sql = columnOf(embed.alias, column);
    if (aggregate && style !== "spread") return { sql: aggregateSql(aggregate, sql), label, aggregated: true };
    return { sql: embed.relationship.toOne ? sql : `${sql}${cast}`, label, aggregated: false };
  });
}

/** A column of a spread embed's join; the parent aggregates it if `aggregate` is set. */
export interface SpreadColumn {
  label: string;
  column: string;
  aggregate: FieldItem["aggregate"];
  /** The field, if the column shows it unchanged. */
  plain: Field | null;
}

/** Lists the columns of a spread embed, in the order in which `outputsOf` writes them. */
export function spreadColumns(embed: Embed): SpreadColumn[] {
  const found = embed.node.items.flatMap((item): Omit<SpreadColumn, "column">[] => {
    switch (item.kind) {
      case "star":
        return embed.node.columns.map((name) => ({ label: name, aggregate: null, plain: { name, path: [] } }));
      case "field": {
        const { field, alias, aggregate, cast } = item;
        const label = alias ?? aggregate?.function ?? (field ? fieldLabel(field) : "");
        return [{ label, aggregate, plain: aggregate || cast !== null ? null : field }];
      }
      case "embed":
        if (item.embed.node.items.length === 0) return [];
        return item.embed.spread ? spreadColumns(item.embed) : [{ label: item.embed.label, aggregate: null, plain: null }];
    }
  });
  return found.map(({ label, aggregate, plain }, index) => ({ label, aggregate, plain, column: spreadName(index) }));
}

/** The column of an embed's join that the parent is ordered by; a spread column if possible, so that grouping includes it. */
export function sortingColumn(embed: Embed, field: Field): string {
  const wanted = JSON.stringify(field);
  const shown = embed.spread ? spreadColumns(embed).find(({ plain }) => plain !== null && JSON.stringify(plain) === wanted) : undefined;
  return columnOf(embed.alias, shown?.column ?? `o${embed.sorting.indexOf(field) + 1}`);
}

/** The name of a spread column between a join and its parent, because labels may repeat. */
export function spreadName(index: number): string {
  return `c${index + 1}`;
}
