import { setImmediate } from "node:timers";

const MAX_GROUP = 500;
const MAX_WAITING = 10_000;

export interface GroupCommit<Item, Outcome> {
  /** Resolves when the item is committed; undefined if the commit failed or too many items are waiting. */
  add(item: Item): Promise<Outcome | undefined>;
}

/**
 * Commits items in groups: those that arrive during one commit share the next. `commit` returns the outcome of each item in order,
 * or null if nothing was stored (decision 028).
 */
export function createGroupCommit<Item, Outcome>(
  commit: (items: readonly Item[]) => Promise<readonly Outcome[] | null>,
): GroupCommit<Item, Outcome> {
  const waiting: (PromiseWithResolvers<Outcome | undefined> & { item: Item })[] = [];
  let running = false;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.splice(0, MAX_GROUP);
      try {
        const outcomes = await commit(group.map(({ item }) => item));
        group.forEach(({ resolve }, index) => resolve(outcomes?.[index]));
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    running = false;
  }

  return {
    add(item) {
      if (waiting.length >= MAX_WAITING) return Promise.resolve(undefined);
      const entry = { item, ...Promise.withResolvers<Outcome | undefined>() };
      waiting.push(entry);
      if (!running) {
        running = true;
        setImmediate(() => void run());
      }
      return entry.promise;
    },
  };
}
