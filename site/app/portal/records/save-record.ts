import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../../../supabase/database.types.ts";
import type { Field } from "../forms/fields.ts";
import { done, refused, type Outcome, type Refusal } from "../frame/outcome.ts";
import { differs, type RecordWords } from "./record-words.ts";

/** An edit of a row: the row as the form was opened with it, and as it was last read; they differ after a lost update was refused. */
export interface RecordEdit<Row> {
  opened: Row;
  seen: Row;
  /** The actions of the page that are not answered yet; null if there are none. */
  unanswered?: () => Promise<unknown> | null;
}

/** A row that is protected against lost updates. */
export interface Versioned {
  id: string;
  updated_at: string;
}

/** The error of the REST API. */
export interface ServiceError {
  code: string;
  message: string;
  details: string | null;
}

interface SaveOptions<Row, Values> extends RecordWords<Row, Values> {
  table: keyof Database["public"]["Tables"];
  /** Columns to read back, in the syntax of `select`. */
  columns?: string;
  saved: string;
  failed: (error: ServiceError) => Refusal;
}

type SaveOutcome = Outcome & { deleted?: true };

/** Starts an edit of a row. */
export function startEdit<Row>(row: Row): RecordEdit<Row> {
  return { opened: row, seen: row };
}

/** Continues an edit of an earlier visit: with the row, as JSON, that its form was opened with then. */
export function continueEdit(edit: RecordEdit<object>, opened: string): void {
  const row: unknown = JSON.parse(opened);
  if (typeof row !== "object") return;
  edit.opened = { ...edit.opened, ...row };
  edit.seen = edit.opened;
}

/**
 * Saves the fields that changed since the edit was opened; afterwards `edit.seen` is the row as it is stored.
 * If somebody else changed these fields in between, or a column of `alsoCompared`, nothing is written and the refusal shows their values.
 * Saving again then keeps their changes, except in fields that were also changed here. `deleted` marks a refusal because the row is gone.
 */
export async function saveRecord<Values extends object, Row extends Values & Versioned>(
  supabase: SupabaseClient,
  edit: RecordEdit<Row>,
  values: Values,
  options: SaveOptions<Row, Values>,
): Promise<SaveOutcome> {
  const { table, columns = "*", noun, fields, alsoCompared, saved, failed } = options;
  const changes = changedValues(fields, edit.opened, values);
  if (Object.keys(changes).length === 0) return done("Nothing was changed.");
  // These columns may be rows of other tables, whose changes leave the version of this row as it is.
  const earlier = alsoCompared && (await readAgain(supabase, edit, changes, options));
  if (earlier) return earlier;

  const { id, updated_at } = edit.seen;
  const write = await supabase.from(table).update(changes).eq("id", id).eq("updated_at", updated_at).select<string, Row>(columns);
  if (write.error) return failed(write.error);
  const written = write.data[0];
  if (written) {
    edit.seen = written;
    return { ...done(saved), record: id };
  }
  const refusal = await readAgain(supabase, edit, changes, options);
  if (refusal) return refusal;
  // The row is unchanged, so a policy refused the update.
  if (edit.seen.updated_at === updated_at) return refused(`This account may not change this ${noun}.`);
  // Only other columns were changed, or the row was deleted and restored.
  return saveRecord(supabase, edit, values, options);
}

/** Reads the row of an edit again; returns a refusal if it is gone, or if somebody else changed what the person has to know. */
async function readAgain<Values extends object, Row extends Values & Versioned>(
  supabase: SupabaseClient,
  edit: RecordEdit<Row>,
  changes: Record<string, unknown>,
  options: SaveOptions<Row, Values>,
): Promise<SaveOutcome | null> {
  const { table, columns = "*", noun, fields, alsoCompared = {}, failed } = options;
  const read = await supabase.from(table).select<string, Row>(columns).eq("id", edit.seen.id);
  if (read.error) return failed(read.error);
  const current = read.data[0];
  if (!current) return { ...refused(`This ${noun} was deleted by somebody else. Your input is still here.`), deleted: true };
  const { seen } = edit;
  const differing = { ...changedValues<Values>(fields, seen, current), ...changedValues<Row>(alsoCompared, seen, current) };
  const isDifferent = Object.keys(differing).length > 0;
  const actions = isDifferent && edit.unanswered?.();
  if (actions) {
    await actions;
    return readAgain(supabase, edit, changes, options);
  }
  edit.seen = current;
  if (!isDifferent) return null;
  // Lazy: few saves are refused.
  const { conflictMessage } = await import("./conflict-message.ts");
  return refused(conflictMessage(seen, current, changes, options));
}

/** The values that read differently. */
function changedValues<Row extends object>(
  fields: { readonly [Column in keyof Row]?: Pick<Field<Row[Column]>, "format"> },
  before: Row,
  after: Row,
): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const name in fields) {
    const field = fields[name];
    if (field && differs(field, after[name], before[name])) changed[name] = after[name];
  }
  return changed;
}
