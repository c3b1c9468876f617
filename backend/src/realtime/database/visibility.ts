import { asIdentity } from "../../db/as-identity.ts";
import { type Database, DatabaseError } from "../../db/database.ts";
import { SQLSTATE } from "../../sqlstates.ts";
import { type Filter, matchingRows } from "./filter.ts";
import type { Relation } from "./relations.ts";
import { CHECK_TIMEOUT_MS, NO_REQUEST } from "./requests.ts";
import type { Change } from "./change.ts";
import type { Group } from "./subscribers.ts";

/** The changes of one table that a group may see, and that match each of its filters. */
export interface Visible {
  permitted: ReadonlySet<Change>;
  /** By the filters of a request. */
  matching: ReadonlyMap<readonly Filter[], ReadonlySet<Change>>;
  /** True if a policy failed. */
  failed: boolean;
  /** True if the check took too long. */
  isTooSlow?: true;
}

const PERMITTED = `select realtime.permitted($1::text::oid::regclass, 'r', $2::text::jsonb) as positions`;

/**
 * Asks the policies of a table once for all members of a group, as their role and with their claims, about the rows of `changes`.
 * A policy or filter that fails or takes too long hides all of them. Fails if the database cannot be reached.
 */
export async function findVisible(
  database: Database,
  group: Group,
  relation: Relation,
  changes: readonly Change[],
  filters: readonly (readonly Filter[])[],
): Promise<Visible> {
  const everything = new Set(changes);
  const distinct = new Map(filters.map((list) => [JSON.stringify(list), list]));
  distinct.delete("[]");
  if (!relation.isSecured && distinct.size === 0) return { permitted: everything, matching: new Map(), failed: false };
  const rows = `[${changes.map(({ row }) => row).join(",")}]`;
  const pick = (result: { positions: number[] }[]): Set<Change> =>
    new Set(result[0]?.positions.flatMap((position) => changes[position - 1] ?? []));
  try {
    return await asIdentity(
      database,
      { ...group.caller, authenticated: true },
      NO_REQUEST,
      async (tx) => {
        const asked = relation.isSecured
          ? tx.query<{ positions: number[] }>(PERMITTED, [relation.oid, rows]).then(pick)
          : Promise.resolve(everything);
        const found = [...distinct].map(async ([key, list]): Promise<[string, Set<Change>]> => {
          const { text, values } = matchingRows(relation.schema, relation.table, list);
          return [key, pick(await tx.query<{ positions: number[] }>(text, [rows, ...values]))];
        });
        const [permitted, matches] = await Promise.all([asked, Promise.all(found)]);
        const byKey = new Map(matches);
        return {
          permitted,
          matching: new Map(filters.map((list) => [list, byKey.get(JSON.stringify(list)) ?? everything])),
          failed: false,
        };
      },
      { readOnly: true, maxStatementMs: CHECK_TIMEOUT_MS },
    );
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.isOutage) throw error;
    const isTooSlow = error.code === SQLSTATE.queryCanceled;
    return { permitted: new Set(), matching: new Map(), failed: true, ...(isTooSlow && { isTooSlow }) };
  }
}
