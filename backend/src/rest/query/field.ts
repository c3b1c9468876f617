import type { Field } from "../request/field.ts";
import type { ReadNode } from "../plan/plan.ts";
import { columnOf, type Values } from "./sql.ts";

/** A field as SQL, with the SQL name of its type; `text` stands for one the schema does not know, which Postgres will refuse. */
export interface FieldSql {
  sql: string;
  type: string;
}

/** Where a field's column is found and what type it has. */
export type FieldScope = Pick<ReadNode, "alias" | "typeOf">;

/** Writes a field; values that are not JSON are turned into it before an arrow reaches into them. */
export function fieldSql(field: Field, scope: FieldScope, values: Values): FieldSql {
  const column = columnOf(scope.alias, field.name);
  const type = scope.typeOf(field.name) ?? "text";
  if (field.path.length === 0) return { sql: column, type };
  const isJson = type === "json" || type === "jsonb";
  const start = isJson ? column : `to_jsonb(${column})`;
  const sql = field.path.reduce((inner, { by, value, asText }) => {
    const place = by === "index" ? `${values.shared(value)}::integer` : values.shared(value);
    return `${inner}${asText ? "->>" : "->"}${place}`;
  }, start);
  return { sql: `(${sql})`, type: field.path.at(-1)?.asText ? "text" : isJson ? type : "jsonb" };
}
