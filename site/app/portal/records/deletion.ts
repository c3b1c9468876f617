import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { done, refused, type Outcome } from "../frame/outcome.ts";
import type { UndoKind } from "./undo.ts";

interface Deletion {
  data: readonly unknown[] | null;
  error: { message: string } | null;
}

/** A deleted record that can be restored. */
interface Restorable {
  supabase: BrowserSupabase;
  kind: UndoKind;
  id: string;
}

/** The outcome of a delete that returns the deleted rows; `what` is the word for the record, `restorable` is what the undo restores. */
export function deletionOutcome({ data, error }: Deletion, what: string, deleted: string, restorable?: Restorable): Outcome {
  if (error) return refused(`Failed to delete ${what}: ${error.message}`);
  // Policies hide rows that may not be deleted instead of raising an error.
  if (data?.length === 0) return refused(`Failed to delete ${what}: it does not exist any more, or this account may not delete it.`);
  if (!restorable) return done(deleted);
  const { supabase, kind, id } = restorable;
  // Lazy: few deletions are undone.
  return { ...done(deleted), undo: async () => (await import("./undo.ts")).undoDelete(supabase, kind, id) };
}
