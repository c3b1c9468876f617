import type { Wanted } from "./requests.ts";
import type { Group, Subscriber, Subscribers } from "./subscribers.ts";

/** Members of a group with equal requests. */
export interface Audience {
  members: readonly Subscriber[];
  requests: readonly Wanted[];
}

/** The subscribers at one moment. Later ones have newer subscriptions than the changes, and a client that signs in meanwhile is still included once. */
export type Audiences = ReadonlyMap<Group, readonly Audience[]>;

/** Returns the subscribers of this moment. */
export function audiencesOf({ groups }: Subscribers): Audiences {
  return new Map(
    [...groups.values()].map((group) => [
      group,
      [...Map.groupBy(group.members, ({ key }) => key).values()].map((members) => ({ members, requests: members[0]?.requests ?? [] })),
    ]),
  );
}
