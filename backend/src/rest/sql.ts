import { quoteIdentifier } from "../db/quote.ts";
import { RestError } from "./errors.ts";
import type { TableName } from "./schema.ts";

/** A statement ready for the database. */
export interface Statement {
  text: string;
  values: readonly string[];
}

// The wire protocol counts parameters in 16 bits.
const MOST_VALUES = 65_535;

/** Collects a statement's values; the only way a value of a request reaches SQL. Fails with PGRST100 on too many. */
export class Values {
  readonly list: string[] = [];

  /** Adds a value and returns its place in the statement, as SQL of type `text`. */
  text(value: string): string {
    if (this.list.length >= MOST_VALUES) throw new RestError(400, "PGRST100", `A request may have at most ${MOST_VALUES} values`);
    this.list.push(value);
    return `$${this.list.length}::text`;
  }

  /** The same for a part of an expression that must read alike in SELECT, GROUP BY and ORDER BY: one place for one value. */
  shared(value: string): string {
    const known = this.list.indexOf(value);
    return known === -1 ? this.text(value) : `$${known + 1}::text`;
  }

  /** The same as SQL of another type, whose name comes from the catalogue. */
  as(value: string, type: string): string {
    const text = this.text(value);
    return type === "text" ? text : `${text}::${type}`;
  }
}

export const quote = quoteIdentifier;

/** A table or function with its schema. */
export function qualified({ schema, name }: TableName): string {
  return `${quote(schema)}.${quote(name)}`;
}

/** A column of what goes by `alias`. */
export function columnOf(alias: string, name: string): string {
  return `${quote(alias)}.${quote(name)}`;
}

// Names of the SQL standard that are grammar and not entries of pg_type: quoting them would look for a type of that name.
const TYPE_WORDS: Readonly<Record<string, string>> = {
  int: "int4",
  integer: "int4",
  smallint: "int2",
  bigint: "int8",
  real: "float4",
  float: "float8",
  "double precision": "float8",
  decimal: "numeric",
  boolean: "bool",
  char: "bpchar",
  character: "bpchar",
  "character varying": "varchar",
  "timestamp with time zone": "timestamptz",
  "timestamp without time zone": "timestamp",
  "time with time zone": "timetz",
  "time without time zone": "time",
};

/** A type named by a request, as SQL. */
export function typeName(name: string): string {
  const isArray = name.endsWith("[]");
  const element = isArray ? name.slice(0, -2).trim() : name;
  const known = TYPE_WORDS[element.toLowerCase()];
  return `${quote(known ?? element)}${isArray ? "[]" : ""}`;
}
