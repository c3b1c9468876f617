import type { Scanner } from "./scanner.ts";

/** One arrow into a JSON value: by key or array index, and as text (`->>`) or as JSON (`->`). */
export interface JsonStep {
  by: "key" | "index";
  value: string;
  asText: boolean;
}

/** A column, or a place inside its JSON. */
export interface Field {
  name: string;
  path: readonly JsonStep[];
}

const INDEX = /-?\d+(?=->|::|[.,)]|$)/y;
const BARE_KEY = /(?:[^"():.,>-]|-(?!>))+/uy;

/** Reads a field as it stands in `select`, `order` and logic trees: `data->tags->>0`. */
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

/** The key a field has in a result: its last JSON key, or else the column's name. */
export function fieldLabel(field: Field): string {
  return field.path.findLast((step) => step.by === "key")?.value ?? field.name;
}
