import { fieldLabel, type Field } from "../request/field.ts";
import { isEmpty, type Embed, type ReadNode } from "../plan/plan.ts";
import type { FieldItem } from "../request/select.ts";
import { columnOf, fieldSql, quote, typeName, type Values } from "./sql.ts";

/** One column of a result; a label of null stands for all columns of the row. */
interface Output {
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
        if (style === "plain" && node.wholeRow === null && node.columns.every((name) => !isConverted(node, name)))
          return [{ sql: `${quote(node.alias)}.*`, label: null, aggregated: false }];
        return node.columns.map((name) => ({ sql: shownSql({ name, path: [] }, node, values), label: name, aggregated: false }));
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
  const found = field === null ? all : shownSql(field, node, values);
  const sql = cast === null ? found : `${found}::${typeName(cast)}`;
  if (!aggregate || style === "spread") return { sql, label, aggregated: false };
  return { sql: aggregateSql(aggregate, sql), label, aggregated: true };
}

/** Writes a field as the API shows it. */
function shownSql(field: Field, node: ReadNode, values: Values): string {
  const { sql, toJson } = fieldSql(field, node, values);
  return toJson === null ? sql : `${toJson}(${sql})`;
}

function isConverted(node: ReadNode, name: string): boolean {
  return (node.typeOf(name)?.toJson ?? null) !== null;
}

function aggregateSql({ function: name, cast }: NonNullable<FieldItem["aggregate"]>, sql: string): string {
  return `${name}(${sql})${cast === null ? "" : `::${typeName(cast)}`}`;
}

// The type json has no equality, so a grouped level uses the results of embeds as jsonb.
function embedOutputs(embed: Embed, style: OutputStyle): Output[] {
  const cast = style === "grouped" ? "::jsonb" : "";
  if (isEmpty(embed.node)) return [];
  if (!embed.spread) return [{ sql: `${columnOf(embed.alias, "body")}${cast}`, label: embed.label, aggregated: false }];
  return spreadColumns(embed).map(({ label, column, aggregate, isJson }) => {
    const sql = columnOf(embed.alias, column);
    if (aggregate && style !== "spread") return { sql: aggregateSql(aggregate, sql), label, aggregated: true };
    return { sql: isJson ? `${sql}${cast}` : sql, label, aggregated: false };
  });
}

/** A column of a spread embed's join; the parent aggregates it if `aggregate` is set. */
interface SpreadColumn {
  label: string;
  column: string;
  aggregate: FieldItem["aggregate"];
  /** The field, if the column shows it unchanged. */
  plain: Field | null;
  /** True if the column has the type json, which Postgres neither groups nor orders. */
  isJson: boolean;
}

/** Lists the columns of a spread embed, in the order in which `outputsOf` writes them. */
export function spreadColumns(embed: Embed): SpreadColumn[] {
  const { node, relationship } = embed;
  const found = node.items.flatMap((item): Omit<SpreadColumn, "column">[] => {
    switch (item.kind) {
      case "star":
        return node.columns.map((name) => ({ label: name, aggregate: null, plain: { name, path: [] }, isJson: isConverted(node, name) }));
      case "field": {
        const { field, alias, aggregate, cast } = item;
        const label = alias ?? aggregate?.function ?? (field ? fieldLabel(field) : "");
        const isJson = field !== null && field.path.length === 0 && cast === null && isConverted(node, field.name);
        return [{ label, aggregate, plain: aggregate || cast !== null ? null : field, isJson }];
      }
      case "embed":
        if (isEmpty(item.embed.node)) return [];
        return item.embed.spread ? spreadColumns(item.embed) : [{ label: item.embed.label, aggregate: null, plain: null, isJson: true }];
    }
  });
  return found.map(({ label, aggregate, plain, isJson }, index) => ({
    label,
    aggregate,
    plain,
    isJson: isJson || !relationship.toOne,
    column: spreadName(index),
  }));
}

/** The columns of an embed's join that the parent is ordered by; spread columns if possible, so that grouping includes them. */
export function sortingColumns(embed: Embed): Map<Field, string> {
  const { alias, sorting, spread } = embed;
  const columns = spread && sorting.length > 0 ? spreadColumns(embed).filter(({ isJson }) => !isJson) : [];
  // Of several columns with the same key, a map takes the last.
  columns.reverse();
  const byLabel = new Map(columns.map(({ label, column }) => [label, column]));
  const byField = new Map(columns.flatMap(({ plain, column }) => (plain ? [[JSON.stringify(plain), column]] : [])));
  return new Map(
    sorting.map((field, index) => {
      const labelled = field.path.length === 0 ? byLabel.get(field.name) : undefined;
      return [field, columnOf(alias, labelled ?? byField.get(JSON.stringify(field)) ?? `o${index + 1}`)];
    }),
  );
}

/** Writes a field that the parent is ordered by, which may be named by the alias of a selected column. */
export function sortingSql(field: Field, node: ReadNode, values: Values): string {
  const aliased = node.items.find((item) => item.kind === "field" && item.alias === field.name && item.aggregate === null);
  if (aliased?.kind !== "field" || !aliased.field) return fieldSql(field, node, values).sql;
  const { name, path } = aliased.field;
  const { sql } = fieldSql({ name, path: [...path, ...field.path] }, node, values);
  return aliased.cast !== null && field.path.length === 0 ? `${sql}::${typeName(aliased.cast)}` : sql;
}

/** The name of a spread column between a join and its parent, because labels may repeat. */
export function spreadName(index: number): string {
  return `c${index + 1}`;
}
