/** Where a column of a view comes from: a column of a table or of another view. */
export interface Origin {
  relation: number;
  column: number;
}

const ENTRY = /:resno (\d+) .*:resorigtbl (\d+) :resorigcol (\d+) :resjunk (true|false)/s;

/**
 * Reads from the stored query of a view (`pg_rewrite.ev_action`, in Postgres's node notation) which column of which
 * relation each of its columns shows, by column number; computed columns are left out.
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

/** The own text of each node in the outermost query's target list, without the nodes inside it. */
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
