import { RealtimeError } from "../errors.ts";
import type { Caller } from "./ask.ts";
import type { Wanted } from "./requests.ts";

/** The `data` of a change and the indexes of the requests that it matches; the same object for all subscribers with equal requests. */
export interface Matched {
  data: object;
  matches: readonly number[];
}

/** Receives changes in commit order; equal subscribers get the same array. */
export type Deliver = (changes: readonly Matched[]) => void;

/** One subscription of a channel. */
export interface Subscriber {
  requests: readonly Wanted[];
  /** Equal for equal requests. */
  key: string;
  deliver: Deliver;
  onLoss: (() => void) | undefined;
}

/** Subscribers with equal roles and claims: what one of them may see, all may see. */
export interface Group {
  caller: Caller;
  members: Set<Subscriber>;
}

/** The most requests of the anonymous subscribers of one client network: each costs time for each change. */
const MAX_REQUESTS = 500;
/** The most of them that have filters, for one network and for all: each is a query for each change. */
const MAX_FILTERED = 50;
const MAX_FILTERED_OF_ALL = 200;

/** The subscribers to changes, in groups. */
export interface Subscribers {
  readonly groups: ReadonlyMap<string, Group>;
  /** Adds a subscriber, or moves it to the group of another caller. Fails with a `RealtimeError` if a network has too many requests. */
  assign(subscriber: Subscriber, caller: Caller): void;
  remove(subscriber: Subscriber): void;
  has(subscriber: Subscriber): boolean;
  count(): number;
}

export function createSubscribers(): Subscribers {
  const groups = new Map<string, Group>();
  const keys = new Map<Subscriber, string>();
  const counted = new Map<Subscriber, string>();
  const perNetwork = new Map<string, { requests: number; filtered: number }>();
  let filteredOfAll = 0;

  function add(subscriber: Subscriber, network: string, sign: 1 | -1): void {
    const { requests, filtered } = perNetwork.get(network) ?? { requests: 0, filtered: 0 };
    const count = { requests: requests + sign * subscriber.requests.length, filtered: filtered + sign * filteredOf(subscriber) };
    if (count.requests === 0) perNetwork.delete(network);
    else perNetwork.set(network, count);
    filteredOfAll += sign * filteredOf(subscriber);
  }

  function refuseTooMany(subscriber: Subscriber, network: string): void {
    const { requests = 0, filtered = 0 } = perNetwork.get(network) ?? {};
    const more = filteredOf(subscriber);
    const isTooMany =
      requests + subscriber.requests.length > MAX_REQUESTS ||
      (more > 0 && (filtered + more > MAX_FILTERED || filteredOfAll + more > MAX_FILTERED_OF_ALL));
    if (isTooMany) throw new RealtimeError("ChannelRateLimitReached", "Too many subscriptions to database changes");
  }

  function remove(subscriber: Subscriber): void {
    const key = keys.get(subscriber) ?? "";
    const group = groups.get(key);
    const network = counted.get(subscriber);
    if (network !== undefined) add(subscriber, network, -1);
    counted.delete(subscriber);
    keys.delete(subscriber);
    group?.members.delete(subscriber);
    if (group?.members.size === 0) groups.delete(key);
  }

  return {
    groups,
    assign(subscriber, { role, claims, network }) {
      remove(subscriber);
      if (role === "anon" && network !== undefined) {
        refuseTooMany(subscriber, network);
        add(subscriber, network, 1);
        counted.set(subscriber, network);
      }
      const key = JSON.stringify([role, claims]);
      const group = groups.get(key) ?? { caller: { role, claims }, members: new Set() };
      group.members.add(subscriber);
      groups.set(key, group);
      keys.set(subscriber, key);
    },
    remove,
    has: (subscriber) => keys.has(subscriber),
    count: () => keys.size,
  };
}

function filteredOf({ requests }: Subscriber): number {
  return requests.filter(({ filters }) => filters.length > 0).length;
}
