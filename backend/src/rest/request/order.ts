import { readField, type Field } from "./field.ts";
import { Scanner } from "./scanner.ts";

/** One term of `order`; `relation` names a to-one embed whose field sorts its parent. */
export interface OrderTerm {
  relation: string | null;
  field: Field;
  descending: boolean;
  nulls: "first" | "last" | null;
}

const MODIFIER = /\.(asc|desc|nullsfirst|nullslast)(?=[.,]|$)/y;

/** Reads `order`: `date.desc.nullslast,data->>title,teacher(name).asc`. */
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
