import type { Database } from "../../db/database.ts";
import { type Change, changeData, errorData, POLICY_FAILED, tableError } from "./change.ts";
import { readRelations, type Relation } from "./relations.ts";
import { covers, type Wanted } from "./requests.ts";
import type { Group, Subscriber, Subscribers } from "./subscribers.ts";
import { findVisible, type Visible } from "./visibility.ts";

/** Checks that run at the same time on a server. The embedded database runs one after the other. */
const CONCURRENT = 3;

/** Sends one change to the subscribers that may see it. */
export type Send = (change: Change) => void;

/** The view of one table that a group has. It leaves out members that came later: their subscriptions are newer than the changes. */
interface View {
  relation: Relation;
  members: readonly Subscriber[];
  visible: Visible;
}

/**
 * Finds out which subscribers may see `changes`: one check for each group and table. Returns the function that delivers a change;
 * it does not wait, so that changes stay in order. Fails if the database cannot be reached.
 */
export async function prepareDelivery(database: Database, subscribers: Subscribers, changes: readonly Change[]): Promise<Send> {
  const now = Date.now() / 1000;
  // A token that ran out sees nothing, even before its socket notices.
  const groups = [...subscribers.groups.values()].filter(
    ({ caller: { claims } }) => typeof claims["exp"] !== "number" || claims["exp"] > now,
  );
  const roles = [...new Set(groups.map(({ caller }) => caller.role))];
  const byTable = Map.groupBy(changes, ({ relation }) => relation);
  const relations = groups.length === 0 ? new Map<string, never>() : await readRelations(database, roles, [...byTable.keys()]);
  const views = new Map<Group, Map<number, View>>(groups.map((group) => [group, new Map()]));
  const checks = groups.flatMap((group) =>
    [...byTable].flatMap(([oid, all]) => {
      // A table that has left the publication, or was dropped, has no relation.
      const relation = relations.get(group.caller.role)?.get(oid);
      return relation ? [{ group, relation, all }] : [];
    }),
  );

  async function check({ group, relation, all }: (typeof checks)[number]): Promise<void> {
    const members = [...group.members];
    const requests = members.flatMap((member) => member.requests.filter((request) => covers(request, relation)));
    const relevant = all.filter((change) => requests.some(({ event }) => event === "*" || event === change.operation));
    if (relevant.length === 0) return;
    const filters = requests.map((request) => request.filters);
    const visible = await findVisible(database, group, relation, relevant, filters);
    views.get(group)?.set(relation.oid, { relation, members, visible });
    if (!visible.isTooSlow) return;
    // A slow filter or policy of some must not hold up the changes of all again and again.
    for (const member of members) {
      subscribers.remove(member);
      member.onLoss?.();
    }
  }

  const waiting = checks.values();
  await Promise.all(
    Array.from({ length: CONCURRENT }, async () => {
      for (const one of waiting) await check(one);
    }),
  );
  return (change) => {
    const dataOf = cacheData(change);
    for (const [group, tables] of views) {
      const view = tables.get(change.relation);
      for (const member of view?.members ?? [])
        if (view && subscribers.has(member)) deliverTo(member, change, view, (request) => dataOf(group, view, request));
    }
  };
}

/** Makes each distinct `data` of a change once, so that its text can be made once too. */
function cacheData(change: Change): (group: Group, view: View, request: Wanted) => object {
  const made = new Map<string, object>();
  return ({ caller }, { relation, visible }, { select }) => {
    const error = tableError(change, relation) ?? (visible.failed ? POLICY_FAILED : null);
    const key = JSON.stringify([caller.role, error, error === null ? select : null]);
    const data = made.get(key) ?? (error === null ? changeData(change, relation, select) : errorData(change, relation, error));
    made.set(key, data);
    return data;
  };
}

function deliverTo(member: Subscriber, change: Change, { relation, visible }: View, dataOf: (request: Wanted) => object): void {
  const matches = new Map<object, number[]>();
  const isHidden = !visible.failed && tableError(change, relation) === null && !visible.permitted.has(change);
  if (isHidden) return;
  for (const [index, request] of member.requests.entries()) {
    if (request.event !== "*" && request.event !== change.operation) continue;
    if (!covers(request, relation) || visible.matching.get(request.filters)?.has(change) === false) continue;
    const data = dataOf(request);
    matches.set(data, [...(matches.get(data) ?? []), index]);
  }
  for (const [data, indexes] of matches) member.deliver({ data, matches: indexes });
}
