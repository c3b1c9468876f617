import { DatabaseError, type Transaction } from "../../db/database.ts";
import * as SQLSTATE from "../../sqlstates.ts";
import type { Ask } from "./ask.ts";
import { type Filter, matchingRows } from "./filter.ts";
import type { Relation } from "./relations.ts";
import type { Change } from "./change.ts";
import type { Group } from "./subscribers.ts";

/** The changes of one table that a group may see, and that match each of its filters. */
export interface Visible {
  permitted: ReadonlySet<Change>;
  /** The updates whose old row the group was permitted to read too; evaluated only if that row is sent. */
  seenBefore: ReadonlySet<Change>;
  /** By the filters of a request; null if they failed. */
  matching: ReadonlyMap<readonly Filter[], ReadonlySet<Change> | null>;
  /** The filters whose check took too long; all of them if the policies did. */
  tooSlow: ReadonlySet<readonly Filter[]>;
  /** True if a policy failed. */
  failed: boolean;
}

type Permitted = Pick<Visible, "permitted" | "seenBefore">;
type FilterLists = readonly (readonly Filter[])[];

const PERMITTED = `select realtime.permitted($1::text::oid::regclass, 'r', $2::text::jsonb) as positions`;

/**
 * Evaluates the policies of a table on the rows of `changes` once for all members of a group, as their role and with their claims. Filters
 * only see the rows that the policies permit, so that they reveal nothing about others. A policy that fails or takes too long hides all
 * rows, a filter those of its own subscribers. Fails if the database cannot be reached.
 */
export async function findVisible(
  ask: Ask,
  group: Group,
  relation: Relation,
  changes: readonly Change[],
  filters: FilterLists,
): Promise<Visible> {
  const distinct = new Map(filters.map((list) => [JSON.stringify(list), list]));
  distinct.delete("[]");
  const visible = (
    evaluated: Permitted,
    matching: ReadonlyMap<string, ReadonlySet<Change> | null>,
    slow: ReadonlySet<string>,
  ): Visible => ({
    ...evaluated,
    matching: new Map(
      filters.map((list) => {
        const found = matching.get(JSON.stringify(list));
        return [list, found === undefined ? evaluated.permitted : found];
      }),
    ),
    tooSlow: new Set(filters.filter((list) => slow.has(JSON.stringify(list)))),
    failed: false,
  });
  const everything = { permitted: new Set(changes), seenBefore: new Set(changes) };
  if (!relation.isSecured && distinct.size === 0) return visible(everything, new Map(), new Set());

  async function findTogether(): Promise<Visible> {
    return ask(group.caller, async (tx) => {
      const evaluated = await evaluatePolicies(tx, relation, changes);
      const found = await Promise.all(
        [...distinct].map(async ([key, list]) => [key, await findMatching(tx, relation, list, evaluated.permitted)] as const),
      );
      return visible(evaluated, new Map(found), new Set());
    });
  }

  async function findSeparately(): Promise<Visible> {
    const evaluated = await attempt(ask(group.caller, (tx) => evaluatePolicies(tx, relation, changes)));
    if ("code" in evaluated) return nothingVisible(evaluated.code, filters);
    const matching = new Map<string, ReadonlySet<Change> | null>();
    const slow = new Set<string>();
    for (const [key, list] of distinct) {
      const found = await attempt(ask(group.caller, (tx) => findMatching(tx, relation, list, evaluated.permitted)));
      matching.set(key, "code" in found ? null : found);
      if ("code" in found && found.code === SQLSTATE.queryCanceled) slow.add(key);
    }
    return visible(evaluated, matching, slow);
  }

  const found = await attempt(findTogether());
  if (!("code" in found)) return found;
  return distinct.size === 0 ? nothingVisible(found.code, filters) : findSeparately();
}

function nothingVisible(code: string, filters: FilterLists): Visible {
  const tooSlow = new Set(code === SQLSTATE.queryCanceled ? filters : []);
  return { permitted: new Set(), seenBefore: new Set(), matching: new Map(), tooSlow, failed: true };
}

/** Resolves with the SQLSTATE of a statement that failed. Fails if the database cannot be reached. */
async function attempt<T extends object>(work: Promise<T>): Promise<T | { code: string }> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.isOutage) throw error;
    return { code: error.code };
  }
}

async function findMatching(
  tx: Transaction,
  { schema, table }: Relation,
  filters: readonly Filter[],
  permitted: ReadonlySet<Change>,
): Promise<ReadonlySet<Change>> {
  if (permitted.size === 0) return permitted;
  const shown = [...permitted];
  const { text, values } = matchingRows(schema, table, filters);
  const [found] = await tx.query<{ positions: number[] }>(text, [arrayOf(shown.map(({ row }) => row)), ...values]);
  return new Set(found?.positions.flatMap((position) => shown[position - 1] ?? []));
}

async function evaluatePolicies(tx: Transaction, { oid, isSecured, columns }: Relation, changes: readonly Change[]): Promise<Permitted> {
  if (!isSecured) return { permitted: new Set(changes), seenBefore: new Set(changes) };
  const isOldSent = columns.some(({ isIdentity, isKey }) => isIdentity && !isKey);
  const updates = changes.filter(({ operation }) => isOldSent && operation === "UPDATE");
  const rows = arrayOf([...changes.map(({ row }) => row), ...updates.flatMap(({ oldRecord }) => oldRecord ?? [])]);
  const [result] = await tx.query<{ positions: number[] }>(PERMITTED, [oid, rows]);
  const positions = result?.positions ?? [];
  return {
    permitted: new Set(positions.flatMap((position) => changes[position - 1] ?? [])),
    seenBefore: new Set(positions.flatMap((position) => updates[position - 1 - changes.length] ?? [])),
  };
}

function arrayOf(rows: readonly string[]): string {
  return `[${rows.join(",")}]`;
}
