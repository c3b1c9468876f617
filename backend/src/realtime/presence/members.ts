/** The payload that a member tracks, with the reference by which clients recognise it. */
type Meta = Record<string, unknown> & { phx_ref: string };

/** One tracked client of a topic. */
export interface Member {
  /** The channel that tracks it. */
  id: string;
  /** The key under which clients see it; several members may share one. */
  key: string;
  /** As the client tracked it, without references. */
  payload: Record<string, unknown>;
  meta: Meta;
}

/** Members by key, as clients receive them. */
export type PresenceState = Record<string, { metas: Meta[] }>;

export interface PresenceDiff {
  joins: PresenceState;
  leaves: PresenceState;
}

/** Groups members by their keys. */
export function groupByKey(members: Iterable<Member>): PresenceState {
  const metas = new Map<string, Meta[]>();
  for (const { key, meta } of members) {
    const known = metas.get(key);
    if (known) known.push(meta);
    else metas.set(key, [meta]);
  }
  return Object.fromEntries([...metas].map(([key, list]) => [key, { metas: list }]));
}

/** Compares the members of a topic before and after; undefined if they are the same. An updated member leaves and joins. */
export function compareMembers(before: ReadonlyMap<string, Member>, after: ReadonlyMap<string, Member>): PresenceDiff | undefined {
  const isIn = (members: ReadonlyMap<string, Member>, { id, meta }: Member): boolean => members.get(id)?.meta.phx_ref === meta.phx_ref;
  const joined = [...after.values()].filter((member) => !isIn(before, member));
  const left = [...before.values()].filter((member) => !isIn(after, member));
  if (joined.length === 0 && left.length === 0) return undefined;
  return { joins: groupByKey(joined), leaves: groupByKey(left) };
}
