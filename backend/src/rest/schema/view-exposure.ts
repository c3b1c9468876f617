import type { Catalogue, KeyRow } from "./catalogue.ts";
import type { TableName } from "./schema.ts";

/** An exposed relation with a table's columns: the table itself, or a view of it. */
export interface Exposure {
  as: TableName;
  /** The table's column names and the names of the same columns in the relation: a view may show a column twice. */
  columns: ReadonlyMap<string, readonly string[]>;
}

/** Finds the exposed relations of every table, by the table's OID. */
export function findExposures({ relations, views, keys }: Pick<Catalogue, "relations" | "views" | "keys">): Map<number, Exposure[]> {
  const origins = new Map(views.map(({ oid, query }) => [oid, viewOrigins(query)]));
  const keyColumns = namesOfKeyColumns(keys);
  const all = relations.flatMap((relation): { table: number; exposure: Exposure }[] => {
    const own = origins.get(relation.oid);
    if (!own) {
      const columns = new Map(relation.columns.map(({ name }) => [name, [name]]));
      return [{ table: relation.oid, exposure: { as: relation, columns } }];
    }
    const shown = relation.columns.flatMap(({ number, name }) => {
      const base = resolve(own.get(number));
      const baseName = base && keyColumns.get(keyOf(base));
      return base && baseName !== undefined ? [{ table: base.relation, baseName, name }] : [];
    });
    return [...Map.groupBy(shown, ({ table }) => table)].map(([table, columns]) => {
      const names = Map.groupBy(columns, ({ baseName }) => baseName);
      return {
        table,
        exposure: { as: relation, columns: new Map([...names].map(([base, list]) => [base, list.map(({ name }) => name)])) },
      };
    });
  });
  return new Map([...Map.groupBy(all, ({ table }) => table)].map(([table, list]) => [table, list.map(({ exposure }) => exposure)]));

  function resolve(origin: Origin | undefined): Origin | undefined {
    const passed = new Set<string>();
    for (let current = origin; current;) {
      const view = origins.get(current.relation);
      if (!view) return current;
      // A view may select from itself; Postgres refuses only the queries that use it.
      if (passed.has(keyOf(current))) return undefined;
      passed.add(keyOf(current));
      current = view.get(current.column);
    }
    return undefined;
  }
}

/** The names of a table's columns in an exposed relation: a list for each combination, and none if a column is missing. */
export function renamed(columns: readonly string[], exposure: Exposure): string[][] {
  return columns.reduce<string[][]>(
    (lists, column) => lists.flatMap((list) => (exposure.columns.get(column) ?? []).map((name) => list.concat(name))),
    [[]],
  );
}

// Only columns of keys are needed; their tables may be in schemas that are not exposed.
function namesOfKeyColumns(keys: readonly KeyRow[]): Map<string, string> {
  return new Map(
    keys.flatMap((key) => [
      ...key.numbers.map((column, index) => [keyOf({ relation: key.table, column }), key.columns[index] ?? ""] as const),
      ...key.targetNumbers.map((column, index) => [keyOf({ relation: key.target, column }), key.targetColumns[index] ?? ""] as const),
    ]),
  );
}

function keyOf({ relation, column }: Origin): string {
  return `${relation}.${column}`;
}

/** The source of a view's column: a column of a table or of another view. */
interface Origin {
  relation: number;
  column: number;
}

const ENTRY = /:resno (\d+) .*:resorigtbl (\d+) :resorigcol (\d+) :resjunk (true|false)/s;

/**
 * Reads the source of a view's columns, by column number, from its stored query (`pg_rewrite.ev_action`, in Postgres's node
 * notation). Computed columns have none.
 */
export function viewOrigins(storedQuery: string): Map<number, Origin> {
  const origins = new Map<number, Origin>();
  for (const entry of targetEntries(storedQuery)) {
    const [, number, relation, column, hidden] = ENTRY.exec(entry) ?? [];
    if (number === undefined || hidden === "true" || relation === "0") continue;
    origins.set(Number(number), { relation: Number(relation), column: Number(column) });
  }
  return origins;
}

const QUERY_DEPTH = 1;
const ENTRY_DEPTH = 2;
const LIST_START = ":targetList (";

/** The text of each node in the outermost query's target list, without nested nodes. */
function targetEntries(storedQuery: string): string[] {
  const entries: string[] = [];
  let depth = 0;
  let inList = false;
  let current = "";
  for (let at = 0; at < storedQuery.length; at++) {
    const character = storedQuery[at];
    if (character === "\\") at++;
    else if (character === "{") depth++;
    else if (character === "}") {
      depth--;
      if (inList && depth === QUERY_DEPTH) entries.push(current);
      if (depth === QUERY_DEPTH) current = "";
    } else if (depth === QUERY_DEPTH) {
      if (storedQuery.startsWith(LIST_START, at)) inList = true;
      else if (inList && character === ")") return entries;
    } else if (inList && depth === ENTRY_DEPTH) current += character;
  }
  return entries;
}
