import { quoteIdentifier } from "../../db/quote.ts";
import { RestError } from "../errors.ts";
import type { ReadNode } from "../plan/plan.ts";
import type { Field } from "../request/field.ts";
import { plainType, type TableName, type ValueType } from "../schema/schema.ts";

/** A statement ready for the database. */
export interface Statement {
  text: string;
  values: readonly string[];
}

// The wire protocol of Postgres counts parameters in 16 bits.
const MAX_VALUES = 65_535;

/** Collects the parameters of a statement; the only way a value of a request reaches SQL. Fails with PGRST100 if there are too many. */
export class Values {
  readonly list: string[] = [];
  readonly #shared = new Map<string, string>();

  /** Adds a value and returns its placeholder, as SQL of type `text`. */
  text(value: string): string {
    if (this.list.length >= MAX_VALUES) throw new RestError(400, "PGRST100", `A request may have at most ${MAX_VALUES} values`);
    this.list.push(value);
    return `$${this.list.length}::text`;
  }

  /** Like `text`, with one placeholder for equal values: an expression must read the same in SELECT, GROUP BY and ORDER BY. */
  shared(value: string): string {
    const known = this.#shared.get(value);
    if (known !== undefined) return known;
    const placeholder = this.text(value);
    this.#shared.set(value, placeholder);
    return placeholder;
  }

  /** Like `text`, as SQL of another type, whose name comes from the schema cache. */
  as(value: string, type: string): string {
    const placeholder = this.text(value);
    return type === "text" ? placeholder : `${placeholder}::${type}`;
  }

  /** Combines SQL with the collected values. */
  statement(text: string): Statement {
    return { text, values: this.list };
  }
}

export const quote = quoteIdentifier;

/** A table or function with its schema. */
export function qualified({ schema, name }: TableName): string {
  return `${quote(schema)}.${quote(name)}`;
}

/** A column of the rows with this alias. */
export function columnOf(alias: string, name: string): string {
  return `${quote(alias)}.${quote(name)}`;
}

/** A field as SQL, with its type: `text` for an unknown field, which Postgres refuses. */
export interface FieldSql extends ValueType {
  sql: string;
}

/** Resolves the column of a field and its type. */
export type FieldScope = Pick<ReadNode, "alias" | "typeOf">;

/** Writes a field; a value that is not JSON is converted before a JSON operator is applied. */
export function fieldSql(field: Field, scope: FieldScope, values: Values): FieldSql {
  const column = columnOf(scope.alias, field.name);
  const type = scope.typeOf(field.name) ?? TEXT;
  if (field.path.length === 0) return { ...type, sql: column };
  const isJson = type.type === "json" || type.type === "jsonb";
  const start = isJson ? column : `to_jsonb(${column})`;
  const sql = field.path.reduce((inner, { by, value, asText }) => {
    const key = by === "index" ? `${values.shared(value)}::integer` : values.shared(value);
    return `${inner}${asText ? "->>" : "->"}${key}`;
  }, start);
  return { ...(field.path.at(-1)?.asText ? TEXT : plainType(isJson ? type.type : "jsonb")), sql: `(${sql})` };
}

const TEXT = plainType("text");

// Type names of the SQL standard that are grammar and not entries of pg_type, so that they cannot be quoted.
const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ["int", "int4"],
  ["integer", "int4"],
  ["smallint", "int2"],
  ["bigint", "int8"],
  ["real", "float4"],
  ["float", "float8"],
  ["double precision", "float8"],
  ["decimal", "numeric"],
  ["boolean", "bool"],
  ["char", "bpchar"],
  ["character", "bpchar"],
  ["character varying", "varchar"],
  ["timestamp with time zone", "timestamptz"],
  ["timestamp without time zone", "timestamp"],
  ["time with time zone", "timetz"],
  ["time without time zone", "time"],
]);

/** A type named by a request, as SQL. */
export function typeName(name: string): string {
  const isArray = name.endsWith("[]");
  const element = isArray ? name.slice(0, -2).trim() : name;
  const known = TYPE_WORDS.get(element.toLowerCase());
  return `${quote(known ?? element)}${isArray ? "[]" : ""}`;
}
