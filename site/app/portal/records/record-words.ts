import type { Field } from "../forms/fields.ts";

type ComparedField<Value> = Pick<Field<Value>, "label" | "format" | "show">;

/** The words for a record and its fields in messages. */
export interface RecordWords<Row, Values> {
  /** The word for the record in messages: "booking". */
  noun: string;
  /** The fields that are saved, in the order in which changes are listed. */
  fields: { readonly [Column in keyof Values]: ComparedField<Values[Column]> };
  /** Columns that the form does not show, but whose changes alter what the record means. A save ignores changes of all others. */
  alsoCompared?: { readonly [Column in keyof Row]?: ComparedField<Row[Column]> };
  /** Text of a field where the value alone is not enough; `other` is the row before or after the change of somebody else. */
  show?: (field: keyof Values, row: Row, other: Row) => string | undefined;
}

/** True if two values read differently in the form; the database writes an instant differently than we do. */
export function differs<Value>({ format }: Pick<Field<Value>, "format">, one: Value, other: Value): boolean {
  return format(one) !== format(other);
}
