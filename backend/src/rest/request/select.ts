import { readJsonPath, type Field } from "./field.ts";
import { Scanner } from "./scanner.ts";

type Aggregate = "count" | "sum" | "avg" | "min" | "max";

/** One comma-separated part of `select`. */
export type SelectItem = StarItem | FieldItem | EmbedItem;

export interface StarItem {
  kind: "star";
}

/** A column or a value inside its JSON; `field` is null for `count()` without a field. */
export interface FieldItem {
  kind: "field";
  field: Field | null;
  alias: string | null;
  cast: string | null;
  aggregate: { function: Aggregate; cast: string | null } | null;
}

/** A related table, nested in its parent or spread into it. */
export interface EmbedItem {
  kind: "embed";
  target: string;
  alias: string | null;
  hint: string | null;
  inner: boolean;
  spread: boolean;
  items: readonly SelectItem[];
}

const MAX_EMBED_DEPTH = 16;
// Postgres refuses more than 1,664 columns in one result.
const MAX_ITEMS = 1600;

/** Parses `select`: `id,title:name,data->>x::int,teachers!inner(name),...room(building),price.sum()`. */
export function parseSelect(text: string): SelectItem[] {
  const scanner = new Scanner("select parameter", text);
  const items = readItems(scanner, 0);
  scanner.end();
  return items;
}

function readItems(scanner: Scanner, depth: number): SelectItem[] {
  const items: SelectItem[] = [];
  if (scanner.done || scanner.sees(")")) return items;
  do items.push(readItem(scanner, depth));
  while (scanner.take(","));
  if (items.length > MAX_ITEMS) scanner.fail(`at most ${MAX_ITEMS} columns`);
  return items;
}

const SPACE = /\s*/y;

function readItem(scanner: Scanner, depth: number): SelectItem {
  scanner.match(SPACE);
  if (scanner.take("*")) return { kind: "star" };
  const spread = scanner.take("...");
  const { alias, name } = readName(scanner);
  if (name === "count" && scanner.take("()")) {
    return { kind: "field", field: null, alias, cast: null, aggregate: { function: "count", cast: readCast(scanner) } };
  }
  if (spread || scanner.sees("!") || scanner.sees("(")) return readEmbed(scanner, { target: name, alias, spread }, depth);
  const field = { name, path: readRestOfField(scanner) };
  const cast = readCast(scanner);
  return { kind: "field", field, alias, cast, aggregate: readAggregate(scanner) };
}

function readName(scanner: Scanner): { alias: string | null; name: string } {
  const first = scanner.name();
  if (scanner.sees("::") || !scanner.take(":")) return { alias: null, name: first };
  return { alias: first, name: scanner.name() };
}

function readRestOfField(scanner: Scanner): Field["path"] {
  return scanner.sees("->") ? readJsonPath(scanner) : [];
}

function readEmbed(scanner: Scanner, head: Pick<EmbedItem, "target" | "alias" | "spread">, depth: number): EmbedItem {
  if (depth >= MAX_EMBED_DEPTH) scanner.fail(`at most ${MAX_EMBED_DEPTH} levels`);
  let hint: string | null = null;
  let inner = false;
  while (scanner.take("!")) {
    const word = scanner.name();
    if (word === "inner") inner = true;
    else if (word !== "left") hint = word;
  }
  scanner.expect("(");
  const items = readItems(scanner, depth + 1);
  scanner.expect(")");
  return { kind: "embed", ...head, hint, inner, items };
}

const CAST = /::\s*([\p{L}_][\p{L}\p{N}_ ]*(?:\[\])?)/uy;

function readCast(scanner: Scanner): string | null {
  if (!scanner.sees("::")) return null;
  return scanner.match(CAST)?.[1]?.trim() ?? scanner.fail("a type after ::");
}

const AGGREGATE = /\.(count|sum|avg|min|max)\(\)/y;
const AGGREGATES: readonly Aggregate[] = ["count", "sum", "avg", "min", "max"];

function readAggregate(scanner: Scanner): FieldItem["aggregate"] {
  const word = scanner.match(AGGREGATE)?.[1];
  const found = AGGREGATES.find((name) => name === word);
  return found ? { function: found, cast: readCast(scanner) } : null;
}
