import { useState } from "react";
import type { PageNotice } from "../frame/use-notice.ts";
import { outcomeOf, type Outcome } from "../frame/outcome.ts";

/** The rows of a page that were deleted (decision 027). */
export interface RemovedRows {
  /** Deletes a row and hides it at once (optimistic update); a row that could not be deleted is shown again. */
  remove: (row: { id: string }, action: () => Promise<Outcome>) => Promise<void>;
  /** The rows hidden by `remove`, and the ids of those that are still being deleted. */
  removed: ReadonlySet<object | string>;
  /** True while a row is being deleted: a reload that ends after the deletion could show it again. */
  isPaused: boolean;
}

/** Manages the optimistic deletions of a page. */
export function useRemovedRows({ setNotice, show }: Pick<PageNotice, "setNotice" | "show">): RemovedRows {
  const [removed, setRemoved] = useState<ReadonlySet<object | string>>(new Set());
  const [removing, setRemoving] = useState(0);

  async function remove(row: { id: string }, action: () => Promise<Outcome>): Promise<void> {
    setNotice(null);
    // By its id too, because a reload that began before may end meanwhile.
    setRemoved((now) => new Set(now).add(row).add(row.id));
    setRemoving((now) => now + 1);
    const outcome = await outcomeOf(action());
    setRemoving((now) => now - 1);
    setRemoved((now) => new Set([...now].filter((each) => each !== row.id && (outcome.ok || each !== row))));
    show(outcome);
  }

  return { remove, removed, isPaused: removing > 0 };
}
