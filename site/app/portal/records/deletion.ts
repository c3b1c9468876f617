import { done, refused, type Outcome } from "../frame/outcome.ts";

interface Deletion {
  data: readonly unknown[] | null;
  error: { message: string } | null;
}

/** The outcome of a delete that returns the deleted rows; `what` is the word for the record, `undo` restores it. */
export function deletionOutcome({ data, error }: Deletion, what: string, deleted: string, undo?: () => Promise<Outcome>): Outcome {
  if (error) return refused(`Failed to delete ${what}: ${error.message}`);
  // Policies hide rows that may not be deleted instead of raising an error.
  if (data?.length === 0) return refused(`Failed to delete ${what}: it does not exist any more, or this account may not delete it.`);
  return undo ? { ...done(deleted), undo } : done(deleted);
}
