import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { TOPIC_PREFIX } from "../protocol/frame.ts";
import { sharedFrame } from "../protocol/shared-frame.ts";
import { encodeText } from "../protocol/text-frames.ts";
import { keyOf, type Topics } from "../topics.ts";
import { compareMembers, groupByKey, type Member, type PresenceDiff, type PresenceState } from "./members.ts";
import type { OtherProcesses } from "./other-processes.ts";

/** The members of all topics that clients of this process see. */
export interface Presence {
  /** Returns the members of a topic, of all processes. */
  state(topic: string, isPrivate: boolean): Promise<PresenceState> | PresenceState;
  /** Makes a member visible, or updates it; the same payload again changes nothing. */
  track(topic: string, isPrivate: boolean, member: { id: string; key: string; payload: Record<string, unknown> }): void;
  /** Removes a member; false if there was none. */
  untrack(topic: string, isPrivate: boolean, id: string): boolean;
  /** Counts the subscribers of this process, who receive each change of a member, and its members. */
  count(topic: string, isPrivate: boolean): number;
}

const NOBODY: ReadonlyMap<string, Member> = new Map();

/** Creates the register of members; `others` has the members of other processes on the same database, if there can be any. */
export function createPresence(topics: Topics, others: OtherProcesses | undefined): Presence {
  const local = new Map<string, Map<string, Member>>();

  function send(topic: string, isPrivate: boolean, diff: PresenceDiff | undefined): void {
    if (!diff) return;
    const frame = { joinRef: null, ref: null, topic: TOPIC_PREFIX + topic, event: "presence_diff", payload: diff };
    const shared = sharedFrame((version) => encodeText(version, frame));
    for (const subscriber of topics.of(topic, isPrivate)) subscriber.deliverPresence(shared);
  }

  others?.onChange((topic, isPrivate, before, after) => send(topic, isPrivate, compareMembers(before, after)));

  function change(topic: string, isPrivate: boolean, id: string, member: Member | undefined): void {
    const key = keyOf(topic, isPrivate);
    const before = local.get(key) ?? NOBODY;
    const after = new Map(before);
    if (member) after.set(id, member);
    else after.delete(id);
    if (after.size > 0) local.set(key, after);
    else local.delete(key);
    send(topic, isPrivate, compareMembers(before, after));
    others?.publish(topic, isPrivate, id, member);
  }

  return {
    state(topic, isPrivate) {
      const own = (): Iterable<Member> => local.get(keyOf(topic, isPrivate))?.values() ?? [];
      if (!others) return groupByKey(own());
      return others.members(topic, isPrivate).then((members) => groupByKey([...own(), ...members.values()]));
    },
    track(topic, isPrivate, { id, key, payload }) {
      const before = local.get(keyOf(topic, isPrivate))?.get(id);
      // Clients cannot set references.
      const { phx_ref: _ref, phx_ref_prev: _previous, ...given } = payload;
      const references = { phx_ref: randomBytes(9).toString("base64url"), ...(before && { phx_ref_prev: before.meta.phx_ref }) };
      if (before && isDeepStrictEqual(before.payload, given)) return;
      const meta = { ...given, ...references };
      change(topic, isPrivate, id, { id, key, payload: given, meta });
    },
    untrack(topic, isPrivate, id) {
      const isMember = local.get(keyOf(topic, isPrivate))?.has(id) === true;
      if (isMember) change(topic, isPrivate, id, undefined);
      return isMember;
    },
    count: (topic, isPrivate) => topics.of(topic, isPrivate).size + (local.get(keyOf(topic, isPrivate))?.size ?? 0),
  };
}
