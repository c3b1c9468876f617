import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../../../supabase/database.types.ts";
import { newIdOf } from "../forms/new-id.ts";
import type { ServiceError } from "./save-record.ts";

/**
 * Inserts rows under the id of the form, so that a retry after a lost response stores them once.
 * Returns no error if an earlier attempt stored the same values, and an error that says so if it stored others.
 */
export async function insertOnce(
  supabase: SupabaseClient,
  table: keyof Database["public"]["Tables"],
  form: FormData,
  values: readonly object[],
): Promise<{ error: ServiceError | null }> {
  const id = newIdOf(form);
  const rows = values.map((row, index) => ({ id: idOfRow(id, index), ...row }));
  const { error } = await supabase.from(table).insert(rows);
  if (!error) return { error };
  const read = supabase.from(table).select<"*", Record<string, unknown>>("*");
  const { data } = await read
    .in(
      "id",
      rows.map((row) => row.id),
    )
    .retry(false);
  if (!data || data.length === 0) return { error };
  const stored = new Map(data.map((row) => [String(row["id"]).replaceAll("-", ""), row]));
  if (rows.every((row) => isStored(row, stored.get(row.id)))) return { error: null };
  return {
    error: { code: "", message: "an earlier version of this form was saved. Find it in the list and change it there.", details: null },
  };
}

/** The id that the first new record of a form will have. */
export function firstIdOf(form: FormData): string {
  return idOfRow(newIdOf(form), 0);
}

/** The id of one of several rows: its last two digits are the index. */
function idOfRow(id: string, index: number): string {
  return id.slice(0, -2) + index.toString(16).padStart(2, "0");
}

function isStored({ id: _id, ...values }: { id: string }, stored: Record<string, unknown> | undefined): boolean {
  return stored !== undefined && Object.entries(values).every(([name, value]) => isSame(value, stored[name]));
}

/** Compares a value with the stored one; the database writes instants in another form. */
function isSame(sent: unknown, stored: unknown): boolean {
  if (sent === stored) return true;
  return typeof sent === "string" && typeof stored === "string" && Date.parse(sent) === Date.parse(stored);
}
