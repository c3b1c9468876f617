import { Scanner } from "./scanner.ts";

/** One step into a JSON value: by key or array index, as text (`->>`) or as JSON (`->`). */
interface JsonStep {
  by: "key" | "index";
  value: string;
  asText: boolean;
}

/** A column, or a value inside its JSON. */
export interface Field {
  name: string;
  path: readonly JsonStep[];
}

const INDEX = /-?\d+(?=->|::|[.,)]|$)/y;
const BARE_KEY = /(?:[^"():.,>-]|-(?!>))+/uy;

/** Reads a field in `select`, `order` or a logic tree: `data->tags->>0`. */
export function readField(scanner: Scanner): Field {
  const name = scanner.name();
  return { name, path: readJsonPath(scanner) };
}

/** Reads the arrows after a column's name. */
export function readJsonPath(scanner: Scanner): JsonStep[] {
  const path: JsonStep[] = [];
  while (scanner.take("->")) {
    const asText = scanner.take(">");
    const index = scanner.match(INDEX)?.[0];
    const value = index ?? scanner.quoted() ?? scanner.match(BARE_KEY)?.[0] ?? scanner.fail("a JSON key or index");
    path.push({ by: index === undefined ? "key" : "index", value, asText });
  }
  return path;
}

/** The key of a field in a result: its last JSON key, or the column's name. */
export function fieldLabel(field: Field): string {
  return field.path.findLast((step) => step.by === "key")?.value ?? field.name;
}

/** One term of `order`; `relation` names a to-one embed whose field orders the parent. */
export interface OrderTerm {
  relation: string | null;
  field: Field;
  descending: boolean;
  nulls: "first" | "last" | null;
}

const MODIFIER = /\.(asc|desc|nullsfirst|nullslast)(?=[.,]|$)/y;

/** Parses `order`: `date.desc.nullslast,data->>title,teacher(name).asc`. */
export function parseOrder(text: string): OrderTerm[] {
  const scanner = new Scanner("order", text);
  const terms: OrderTerm[] = [];
  do terms.push(readTerm(scanner));
  while (scanner.take(","));
  scanner.end();
  return terms;
}

function readTerm(scanner: Scanner): OrderTerm {
  let field = readField(scanner);
  let relation: string | null = null;
  if (field.path.length === 0 && scanner.take("(")) {
    relation = field.name;
    field = readField(scanner);
    scanner.expect(")");
  }
  let descending = false;
  let nulls: OrderTerm["nulls"] = null;
  for (let found = scanner.match(MODIFIER); found; found = scanner.match(MODIFIER)) {
    if (found[1] === "desc") descending = true;
    else if (found[1] === "nullsfirst") nulls = "first";
    else if (found[1] === "nullslast") nulls = "last";
  }
  return { relation, field, descending, nulls };
}
