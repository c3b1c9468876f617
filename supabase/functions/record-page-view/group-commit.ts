import { setImmediate } from "node:timers/promises";

// As many as our server has connections.
const MAX_WAITING = 2000;

/**
 * Returns a function that adds an item and resolves with its outcome when the item is committed, or undefined if the commit failed
 * or too many items are waiting. Items that arrive during one commit share the next (decision 028). `commit` returns the outcome
 * of each item in order, or null if nothing was stored.
 */
export function createGroupCommit<Item, Outcome>(
  commit: (items: readonly Item[]) => Promise<readonly Outcome[] | null>,
): (item: Item) => Promise<Outcome | undefined> {
  const waiting: Item[] = [];
  const commitWaiting = async () => {
    // The callers of the commit before may add their next items first.
    await setImmediate();
    return commit(waiting.splice(0));
  };
  let last: Promise<readonly Outcome[] | null> = Promise.resolve(null);

  return async (item) => {
    if (waiting.length >= MAX_WAITING) return undefined;
    if (waiting.length === 0) last = last.then(commitWaiting, commitWaiting);
    const index = waiting.push(item) - 1;
    return (await last)?.[index];
  };
}
