import { done, refused, type Outcome } from "../frame/outcome.ts";

/** The answer to a delete that asks for the rows it deleted. */
interface Deletion {
  data: readonly unknown[] | null;
  error: { message: string } | null;
}

/** Says what came of a delete by id; `what` is what the row is called, `deleted` what to say where it is gone, `undo` brings it back. */
export function deletionOutcome({ data, error }: Deletion, what: string, deleted: string, undo?: () => Promise<Outcome>): Outcome {
  if (error) return refused(`Failed to delete ${what}: ${error.message}`);
  // Policies hide what may not be deleted instead of refusing it.
  if (data?.length === 0) return refused(`Failed to delete ${what}: it is no longer there, or this account may not delete it.`);
  return undo ? { ...done(deleted), undo } : done(deleted);
}
