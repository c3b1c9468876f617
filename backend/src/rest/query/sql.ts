import { quoteIdentifier } from "../../db/quote.ts";
import { RestError } from "../errors.ts";
import { testValue, type Test } from "../request/filter.ts";
import type { TableName } from "../schema/schema.ts";

/** A statement ready for the database. */
export interface Statement {
  text: string;
  values: readonly string[];
  /** The test each value was written for, null for the others: with other values in them the text stays the same. */
  tests: readonly (Test | null)[];
}

// The wire protocol counts parameters in 16 bits.
const MOST_VALUES = 65_535;

/** Collects a statement's values; the only way a value of a request reaches SQL. Fails with PGRST100 on too many. */
export class Values {
  readonly list: string[] = [];
  readonly tests: (Test | null)[] = [];

  /** Adds a value and returns its place in the statement, as SQL of type `text`. */
  text(value: string, test: Test | null = null): string {
    if (this.list.length >= MOST_VALUES) throw new RestError(400, "PGRST100", `A request may have at most ${MOST_VALUES} values`);
    this.list.push(value);
    this.tests.push(test);
    return `$${this.list.length}::text`;
  }

  /** The same for a part of an expression that must read alike in SELECT, GROUP BY and ORDER BY: one place for one value. */
  shared(value: string): string {
    const known = this.list.findIndex((other, index) => other === value && this.tests[index] === null);
    return known === -1 ? this.text(value) : `$${known + 1}::text`;
  }

  /** The same as SQL of another type, whose name comes from the catalogue. */
  as(value: string, type: string): string {
    return typed(this.text(value), type);
  }

  /** Adds the value of a filter's test. */
  ofTest(test: Test, type: string): string {
    return typed(this.text(testValue(test), test), type);
  }

  /** The statement of a text written with these values. */
  statement(text: string): Statement {
    return { text, values: this.list, tests: this.tests };
  }
}

/** The same statement with other values for its tests. */
export function withTests(statement: Statement, tests: ReadonlyMap<Test, Test>): Statement {
  const values = statement.values.map((value, index) => {
    const test = statement.tests[index];
    const other = test && tests.get(test);
    return other ? testValue(other) : value;
  });
  return { ...statement, values };
}

function typed(place: string, type: string): string {
  return type === "text" ? place : `${place}::${type}`;
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
