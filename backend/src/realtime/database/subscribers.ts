import type { Caller, Wanted } from "./requests.ts";

/** Receives the `data` of a change and the indexes of the requests that it matches. */
export type Deliver = (change: { data: object; matches: number[] }) => void;

/** One subscription of a channel. */
export interface Subscriber {
  requests: readonly Wanted[];
  deliver: Deliver;
  onLoss: (() => void) | undefined;
}

/** Subscribers with equal roles and claims: what one of them may see, all may see. */
export interface Group {
  caller: Caller;
  members: Set<Subscriber>;
}

/** The subscribers to changes, in groups. */
export interface Subscribers {
  readonly groups: ReadonlyMap<string, Group>;
  /** Adds a subscriber, or moves it to the group of another caller. */
  place(subscriber: Subscriber, caller: Caller): void;
  remove(subscriber: Subscriber): void;
  has(subscriber: Subscriber): boolean;
}

export function createSubscribers(): Subscribers {
  const groups = new Map<string, Group>();
  const keys = new Map<Subscriber, string>();

  function remove(subscriber: Subscriber): void {
    const key = keys.get(subscriber) ?? "";
    const group = groups.get(key);
    keys.delete(subscriber);
    group?.members.delete(subscriber);
    if (group?.members.size === 0) groups.delete(key);
  }

  return {
    groups,
    place(subscriber, { role, claims }) {
      remove(subscriber);
      const key = JSON.stringify([role, claims]);
      const group = groups.get(key) ?? { caller: { role, claims }, members: new Set() };
      group.members.add(subscriber);
      groups.set(key, group);
      keys.set(subscriber, key);
    },
    remove,
    has: (subscriber) => keys.has(subscriber),
  };
}
