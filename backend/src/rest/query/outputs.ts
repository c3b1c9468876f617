import { fieldLabel, type Field } from "../request/field.ts";
import type { Embed, ReadNode } from "../plan/plan.ts";
import { fieldSql } from "./field.ts";
import type { FieldItem } from "../request/select.ts";
import { columnOf, quote, typeName, type Values } from "./sql.ts";

/** One column of a result: its SQL, its name (null for all columns as they come), and whether it is an aggregate. */
export interface Output {
  sql: string;
  label: string | null;
  aggregated: boolean;
}

/** How a level's columns are written: as they come, with groups, or plainly for the parent they are spread into. */
export type OutputStyle = "plain" | "grouped" | "spread";

/** Writes the columns a level selects. */
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
  // What a bare count counts is rows: any value that is there only with its row.
  const all = style === "spread" ? "true" : "*";
  const found = field === null ? all : fieldSql(field, node, values).sql;
  const sql = cast === null ? found : `${found}::${typeName(cast)}`;
  if (!aggregate || style === "spread") return { sql, label, aggregated: false };
  return { sql: aggregateSql(aggregate, sql), label, aggregated: true };
}

function aggregateSql({ function: name, cast }: NonNullable<FieldItem["aggregate"]>, sql: string): string {
  return `${name}(${sql})${cast === null ? "" : `::${typeName(cast)}`}`;
}

// JSON has no equality, so that a level with groups takes what its embeds make as jsonb.
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

/** A column that a spread embed's join offers to its parent, which aggregates it where `aggregate` says so. */
export interface SpreadColumn {
  label: string;
  column: string;
  aggregate: FieldItem["aggregate"];
  /** The field it shows as it is, null for anything else. */
  plain: Field | null;
}

/** The columns a spread embed offers, in the order `outputsOf` writes them. */
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

/** The column of an embed's join that its parent is ordered by: where it is spread already, that one, so that groups hold it. */
export function sortingColumn(embed: Embed, field: Field): string {
  const wanted = JSON.stringify(field);
  const shown = embed.spread ? spreadColumns(embed).find(({ plain }) => plain !== null && JSON.stringify(plain) === wanted) : undefined;
  return columnOf(embed.alias, shown?.column ?? `o${embed.sorting.indexOf(field) + 1}`);
}

/** The name of a spread column between a join and its parent; its label need not be unique there. */
export function spreadName(index: number): string {
  return `c${index + 1}`;
}
