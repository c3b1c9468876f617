import type { Column } from "../schema/schema.ts";

export type JsonSchema = Record<string, unknown>;

const JSON_TYPES: Readonly<Record<string, string>> = {
  boolean: "boolean",
  smallint: "integer",
  integer: "integer",
  bigint: "integer",
  numeric: "number",
  real: "number",
  "double precision": "number",
};

/** Describes a Postgres type as JSON Schema, with its own name as format; JSON may be anything. */
export function typeSchema(type: string): JsonSchema {
  if (type === "json" || type === "jsonb") return { format: type };
  if (type.endsWith("[]")) return { type: "array", format: type, items: typeSchema(type.slice(0, -2)) };
  return { type: JSON_TYPES[type] ?? "string", format: type };
}

/** Describes a column: its type, labels, default and whether it identifies the row. */
export function columnSchema({ type, labels, description, default: value }: Column, isKey: boolean): JsonSchema {
  const notes = [description, isKey ? "Primary key" : null].filter((note) => note !== null);
  return {
    ...typeSchema(type),
    ...(labels === null ? {} : { enum: labels }),
    ...(value === null ? {} : { default: value }),
    ...(notes.length === 0 ? {} : { description: notes.join("\n\n") }),
  };
}
