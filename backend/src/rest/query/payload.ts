import type { Payload } from "../request/body.ts";
import type { Column } from "../schema/schema.ts";
import { columnOf, quote, type Values } from "./sql.ts";

/** The alias of the rows in a JSON body. */
export const PAYLOAD = "#payload";
const ITEM = "#item";
const GIVEN = "#given";

interface PayloadOptions {
  /** True if a column that an object leaves out has its default and not null. */
  defaults?: boolean;
  /** True if only the first object of an array counts. */
  first?: boolean;
}

type PayloadColumn = Pick<Column, "name" | "type" | "fromJson" | "default">;

/** Writes the rows of a JSON body as a FROM item with the alias `PAYLOAD`. */
export function payloadSql(
  columns: readonly PayloadColumn[],
  { kind, text }: Payload,
  values: Values,
  { defaults = false, first = false }: PayloadOptions = {},
): string {
  const isArray = kind === "array";
  const json = values.as(text, "json");
  const definitions = columns.map(({ name, type, fromJson }) => `${quote(name)} ${fromJson === null ? type : "json"}`).join(", ");
  const rows = (alias: string): string => `json_to_record${isArray ? "set" : ""}(${json}) as ${quote(alias)}(${definitions})`;
  const limits = first && isArray;
  if (!defaults && !limits && columns.every(({ fromJson }) => fromJson === null)) return rows(PAYLOAD);
  const item = columnOf(ITEM, "value");
  const items = isArray ? `json_array_elements(${json})` : `(values (${json}))`;
  const from = defaults
    ? `${items} as ${quote(ITEM)}("value") cross join lateral json_to_record(${item}) as ${quote(GIVEN)}(${definitions})`
    : rows(GIVEN);
  const picked = columns.map(({ name, type, fromJson, default: preset }) => {
    const column = columnOf(GIVEN, name);
    const given = fromJson === null ? column : `${fromJson}(${column})`;
    // A default may have another type than its column, such as a uuid for text.
    const value =
      defaults && preset !== null ? `case when ${item}::jsonb ? ${values.text(name)} then ${given} else (${preset})::${type} end` : given;
    return `${value} as ${quote(name)}`;
  });
  return `(select ${picked.join(", ")} from ${from}${limits ? " limit 1" : ""}) as ${quote(PAYLOAD)}`;
}
