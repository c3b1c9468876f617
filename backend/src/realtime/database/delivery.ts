import type { Database } from "../../db/database.ts";
import { type Change, changeData, errorData, POLICY_FAILED, tableError } from "./change.ts";
import type { Ask } from "./ask.ts";
import { readRelations, type Relation } from "./relations.ts";
import { appliesTo, type Wanted } from "./requests.ts";
import type { Group, Subscriber, Subscribers } from "./subscribers.ts";
import { findVisible, type Visible } from "./visibility.ts";

/** Checks that run at the same time on a server. The embedded database runs one after the other. */
const CONCURRENT = 3;

/** Sends one change to the subscribers that may see it. */
export type Send = (change: Change) => void;

/** The requests of a member for one table, with their indexes among all of its requests. */
interface Member {
  subscriber: Subscriber;
  requests: readonly (readonly [index: number, request: Wanted])[];
}

/** The view of one table that a group has. It leaves out members that came later: their subscriptions are newer than the changes. */
interface View {
  relation: Relation;
  members: readonly Member[];
  visible: Visible;
}

export interface DeliveryOptions {
  database: Database;
  ask: Ask;
  subscribers: Subscribers;
}

/**
 * Finds out which subscribers, the anonymous ones or the others, may see `changes`: one check for each group and table. Returns the function that delivers a change;
 * it does not wait, so that changes stay in order. Fails if the database cannot be reached.
 */
export async function prepareDelivery(
  { database, ask, subscribers }: DeliveryOptions,
  changes: readonly Change[],
  isAnonymous: boolean,
): Promise<Send> {
  const now = Date.now() / 1000;
  // A token that ran out sees nothing, even before its socket notices.
  const groups = [...subscribers.groups.values()].filter(
    ({ caller: { role, claims } }) => (role === "anon") === isAnonymous && (typeof claims["exp"] !== "number" || claims["exp"] > now),
  );
  const roles = [...new Set(groups.map(({ caller }) => caller.role))];
  const byTable = Map.groupBy(changes, ({ relation }) => relation);
  const relations = groups.length === 0 ? new Map<string, never>() : await readRelations(database, roles, [...byTable.keys()]);
  const views = new Map<Group, Map<number, View>>(groups.map((group) => [group, new Map()]));
  const checks = groups.flatMap((group) =>
    [...byTable].flatMap(([oid, all]) => {
      // A table that has left the publication, or was dropped, has no relation. One that the role may not read is not mentioned.
      const relation = relations.get(group.caller.role)?.get(oid);
      return relation?.columns.some(({ isSelectable }) => isSelectable) ? [{ group, relation, all }] : [];
    }),
  );

  async function check({ group, relation, all }: (typeof checks)[number]): Promise<void> {
    const members = [...group.members].flatMap((subscriber): Member[] => {
      const requests = subscriber.requests.entries().filter(([, request]) => appliesTo(request, relation));
      const own = requests.toArray();
      return own.length > 0 ? [{ subscriber, requests: own }] : [];
    });
    const requests = members.flatMap((member) => member.requests.map(([, request]) => request));
    const relevant = all.filter((change) => requests.some(({ event }) => event === "*" || event === change.operation));
    if (relevant.length === 0) return;
    const filters = requests.map((request) => request.filters);
    const visible = await findVisible(ask, group, relation, relevant, filters);
    views.get(group)?.set(relation.oid, { relation, members, visible });
    // A slow filter or policy must not hold up the changes of others again and again.
    for (const member of members)
      if (member.requests.some(([, request]) => visible.tooSlow.has(request.filters))) {
        subscribers.remove(member.subscriber);
        member.subscriber.onLoss?.();
      }
  }

  const waiting = checks.values();
  await Promise.all(
    Array.from({ length: isAnonymous ? 1 : CONCURRENT }, async () => {
      for (const one of waiting) await check(one);
    }),
  );
  return (change) => {
    const made = new Map<string, object>();
    for (const [group, tables] of views) {
      const view = tables.get(change.relation);
      const dataOf = view && dataFor(group, view, change, made);
      if (!dataOf) continue;
      for (const member of view.members) if (subscribers.has(member.subscriber)) deliverTo(member, change, view.visible, dataOf);
    }
  };
}

/**
 * Returns the function that makes the `data` of a change for the requests of a group; undefined if the group may not see the change.
 * `made` contains each distinct `data` of the change once, so that its text can be made once too.
 */
function dataFor(
  { caller }: Group,
  { relation, visible }: View,
  change: Change,
  made: Map<string, object>,
): ((request: Wanted) => object) | undefined {
  const ofTable = tableError(change, relation);
  if (!visible.failed && ofTable === null && !visible.permitted.has(change)) return undefined;
  const wasSeen = visible.seenBefore.has(change);
  const prefix = JSON.stringify([caller.role, wasSeen]);
  return ({ select, filters }) => {
    const hasFailed = visible.failed || visible.matching.get(filters) === null;
    const error = ofTable ?? (hasFailed ? POLICY_FAILED : null);
    const key = prefix + (error ?? JSON.stringify(select));
    const data = made.get(key) ?? (error === null ? changeData(change, relation, select, wasSeen) : errorData(change, relation, error));
    made.set(key, data);
    return data;
  };
}

function deliverTo({ subscriber, requests }: Member, change: Change, visible: Visible, dataOf: (request: Wanted) => object): void {
  const matches = new Map<object, number[]>();
  for (const [index, request] of requests) {
    if (request.event !== "*" && request.event !== change.operation) continue;
    if (visible.matching.get(request.filters)?.has(change) === false) continue;
    const data = dataOf(request);
    const indexes = matches.get(data);
    if (indexes) indexes.push(index);
    else matches.set(data, [index]);
  }
  for (const [data, indexes] of matches) subscriber.deliver({ data, matches: indexes });
}
