import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../../../supabase/database.types.ts";
import type { Field } from "../forms/fields.ts";
import { done, refused, type Outcome, type Refusal } from "../frame/outcome.ts";

/** An edit of a row: the row as the form was opened with it, and as it was last read; they differ after a lost update was refused. */
export interface RecordEdit<Row> {
  readonly opened: Row;
  seen: Row;
}

/** The error of the REST API. */
export interface ServiceError {
  code: string;
  message: string;
  details: string | null;
}

export interface SaveOptions<Row, Values> {
  table: keyof Database["public"]["Tables"];
  /** Columns to read back, in the syntax of `select`. */
  columns?: string;
  /** The word for the record in messages: "booking". */
  noun: string;
  /** The fields that are saved, in the order in which changes are listed. */
  fields: { readonly [Column in keyof Values]: Pick<Field<Values[Column]>, "label" | "format" | "show"> };
  /** Text of a field where the value alone is not enough; `other` is the row before or after the change of somebody else. */
  show?: (field: keyof Values, row: Row, other: Row) => string | undefined;
  saved: string;
  failed: (error: ServiceError) => Refusal;
}

/** Starts an edit of a row. */
export function startEdit<Row>(row: Row): RecordEdit<Row> {
  return { opened: row, seen: row };
}

/**
 * Saves the fields that changed since the edit was opened; afterwards `edit.seen` is the row as it is stored.
 * If somebody else saved in between, nothing is written and the refusal shows their values. Saving again then
 * keeps their changes, except in fields that were also changed here. `deleted` marks a refusal because the row is gone.
 */
export async function saveRecord<Values extends object, Row extends Values & { id: string; updated_at: string }>(
  supabase: SupabaseClient,
  edit: RecordEdit<Row>,
  values: Values,
  options: SaveOptions<Row, Values>,
): Promise<Outcome & { deleted?: true }> {
  const { table, columns = "*", noun, fields, saved, failed } = options;
  const changes: Record<string, unknown> = {};
  for (const name in fields) if (differs(fields[name], values[name], edit.opened[name])) changes[name] = values[name];
  if (Object.keys(changes).length === 0) return done("Nothing was changed.");

  const { id, updated_at } = edit.seen;
  const write = await supabase.from(table).update(changes).eq("id", id).eq("updated_at", updated_at).select<string, Row>(columns);
  if (write.error) return failed(write.error);
  const written = write.data[0];
  if (written) {
    edit.seen = written;
    return done(saved);
  }
  const read = await supabase.from(table).select<string, Row>(columns).eq("id", id);
  if (read.error) return failed(read.error);
  const current = read.data[0];
  if (!current) return { ...refused(`This ${noun} was deleted by somebody else. Your input is still here.`), deleted: true };
  // The row is unchanged, so a policy refused the update.
  if (current.updated_at === updated_at) return refused(`This account may not change this ${noun}.`);
  const message = conflictMessage(edit.seen, current, changes, options);
  edit.seen = current;
  return refused(message);
}

function conflictMessage<Values extends object, Row extends Values>(
  seen: Row,
  current: Row,
  changes: Record<string, unknown>,
  { noun, fields, show }: SaveOptions<Row, Values>,
): string {
  const theirs: string[] = [];
  const both: string[] = [];
  for (const name in fields) {
    const field = fields[name];
    if (!differs(field, seen[name], current[name])) continue;
    const [before, after] = [
      show?.(name, seen, current) ?? field.show(seen[name]),
      show?.(name, current, seen) ?? field.show(current[name]),
    ];
    theirs.push(`${field.label}: ${before}, now ${after}`);
    if (name in changes) both.push(field.label);
  }
  const list = theirs.length === 0 ? "None of the fields shown here changed." : `${theirs.join("; ")}.`;
  const advice =
    both.length === 0
      ? "Save again to add your changes."
      : `Save again to replace theirs with yours (${both.join(", ")}), or cancel to keep theirs.`;
  return `Somebody else changed this ${noun} while you were editing it. ${list} Nothing was overwritten. ${advice}`;
}

/** True if two values read differently in the form; the database writes an instant differently than we do. */
function differs<Value>({ format }: Pick<Field<Value>, "format">, one: Value, other: Value): boolean {
  return format(one) !== format(other);
}
