import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "../../db/database.ts";
import { type Change, changeData, errorData, POLICY_FAILED, tableError } from "./change.ts";
import { createPause } from "../slice.ts";
import type { Ask } from "./ask.ts";
import type { Audience, Audiences } from "./audiences.ts";
import { readRelations, type Relation } from "./relations.ts";
import { appliesTo, type Wanted } from "./requests.ts";
import type { Matched, Group, Subscriber, Subscribers } from "./subscribers.ts";
import { findVisible, type Visible } from "./visibility.ts";

/** Checks that run at the same time on a server. The embedded database runs one after the other. */
const CONCURRENT = 3;
/** The most changes that a subscriber receives in one turn of the event loop, so that a large transaction does not fill its buffer. */
const MOST_TOGETHER = 50;
/** The most characters of them, or of messages; a longer one comes alone. */
export const MOST_CHARACTERS_TOGETHER = 262_144;

/** Sends changes, in order, to the subscribers that may see them. */
type Send = (changes: readonly Change[]) => Promise<void>;

/** Requests for one table, with their indexes among all requests of a subscriber. */
type IndexedRequests = readonly (readonly [index: number, request: Wanted])[];

/** The view of one table that a group has. */
interface View {
  relation: Relation;
  wanted: ReadonlyMap<Audience, IndexedRequests>;
  visible: Visible;
}

interface DeliveryOptions {
  database: Database;
  ask: Ask;
  subscribers: Subscribers;
  log: Logger;
}

/**
 * Determines which of `audiences`, the anonymous ones or the others, may see `changes`, with one check for each group and table. Returns
 * the function that delivers these changes or a part of them. Fails if the database cannot be reached.
 */
export async function prepareDelivery(
  { database, ask, subscribers, log }: DeliveryOptions,
  audiences: Audiences,
  changes: readonly Change[],
  isAnonymous: boolean,
): Promise<Send> {
  const now = Date.now() / 1000;
  // A subscriber whose token has expired sees nothing, even before its socket notices.
  const groups = [...audiences.keys()].filter(
    ({ caller: { role, claims } }) => (role === "anon") === isAnonymous && (typeof claims["exp"] !== "number" || claims["exp"] > now),
  );
  const roles = [...new Set(groups.map(({ caller }) => caller.role))];
  const byTable = Map.groupBy(changes, ({ relation }) => relation);
  const relations = groups.length === 0 ? new Map<string, never>() : await readRelations(database, roles, [...byTable.keys()]);
  const views = new Map<Group, Map<number, View>>(groups.map((group) => [group, new Map()]));
  const checks = groups.flatMap((group) =>
    [...byTable].flatMap(([oid, all]) => {
      // A table that has left the publication, or was dropped, has no relation. One that the role may not read is skipped.
      const relation = relations.get(group.caller.role)?.get(oid);
      return relation?.columns.some(({ isSelectable }) => isSelectable) ? [{ group, relation, all }] : [];
    }),
  );

  async function check({ group, relation, all }: (typeof checks)[number]): Promise<void> {
    // Those whose check of another table was too slow have been removed.
    const present = (audiences.get(group) ?? []).filter(({ members }) => members.some(subscribers.has));
    const wanted = new Map(
      present.map((audience) => [audience, [...audience.requests.entries()].filter(([, one]) => appliesTo(one, relation))]),
    );
    const requests = [...wanted.values()].flat().map(([, request]) => request);
    const relevant = all.filter((change) => requests.some(({ event }) => event === "*" || event === change.operation));
    if (relevant.length === 0) return;
    const filters = requests.map((request) => request.filters);
    const visible = await findVisible(ask, group, relation, relevant, filters);
    views.get(group)?.set(relation.oid, { relation, wanted, visible });
    // A slow filter or policy must not delay the changes of others again and again.
    for (const [{ members }, slow] of wanted)
      if (slow.some(([, request]) => visible.tooSlow.has(request.filters)))
        for (const member of members.filter(subscribers.has)) {
          subscribers.remove(member);
          member.onLoss?.();
        }
  }

  const waiting = checks.values();
  await Promise.all(
    Array.from({ length: isAnonymous ? 1 : CONCURRENT }, async () => {
      for (const one of waiting) await check(one);
    }),
  );
  return async function send(part) {
    for (const [index, together] of inTurns(part).entries()) {
      if (index > 0) await nextTurn();
      await sendTogether(together);
    }
  };

  async function sendTogether(together: readonly Change[]): Promise<void> {
    const pauseAfterSlice = createPause();
    const dataOfChanges = new Map(together.map((change) => [change, new Map<string, object>()]));
    for (const [group, tables] of views) {
      const shown = together.flatMap((change) => {
        const view = tables.get(change.relation);
        const dataOf = view && dataFor(group, view, change, dataOfChanges.get(change) ?? new Map());
        return dataOf ? [{ change, view, dataOf }] : [];
      });
      if (shown.length === 0) continue;
      for (const audience of audiences.get(group) ?? []) {
        const found: Matched[] = [];
        for (const { change, view, dataOf } of shown) {
          found.push(...matchesOf(view.wanted.get(audience) ?? [], change, view.visible, dataOf));
          await pauseAfterSlice();
        }
        if (found.length > 0)
          for (const member of audience.members) {
            if (subscribers.has(member)) deliver(member, found);
            await pauseAfterSlice();
          }
      }
    }
  }

  function deliver(member: Subscriber, found: readonly Matched[]): void {
    try {
      member.deliver(found);
    } catch (error) {
      log.error({ err: error }, "a subscriber failed");
      member.onLoss?.();
    }
  }
}

/** Divides changes into those of one turn of the event loop each. */
function inTurns(changes: readonly Change[]): Change[][] {
  const turns: Change[][] = [];
  let characters = 0;
  for (const change of changes) {
    const length = (change.record?.length ?? 0) + (change.oldRecord?.length ?? 0);
    const current = turns.at(-1);
    characters += length;
    if (current && current.length < MOST_TOGETHER && characters <= MOST_CHARACTERS_TOGETHER) {
      current.push(change);
      continue;
    }
    turns.push([change]);
    characters = length;
  }
  return turns;
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

/** Returns the distinct `data` of a change for equal subscribers, each with the indexes of the requests that it matches. */
function matchesOf(requests: IndexedRequests, change: Change, visible: Visible, dataOf: (request: Wanted) => object): Matched[] {
  const indexes = new Map<object, number[]>();
  for (const [index, request] of requests) {
    if (request.event !== "*" && request.event !== change.operation) continue;
    if (visible.matching.get(request.filters)?.has(change) === false) continue;
    const data = dataOf(request);
    const known = indexes.get(data);
    if (known) known.push(index);
    else indexes.set(data, [index]);
  }
  return Array.from(indexes, ([data, matches]) => ({ data, matches }));
}
