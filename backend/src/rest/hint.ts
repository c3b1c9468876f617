import { asIdentity } from "../db/as-identity.ts";
import { DatabaseError, type Database } from "../db/database.ts";
import type { Identity } from "../identity.ts";
import { RestError } from "./errors.ts";

const MOST_ASKED = 5;

/** Adds to a refusal the hint of its first suggestion whose table or function the caller has rights on. */
export async function withHint(refusal: RestError, database: Database, identity: Identity): Promise<RestError> {
  const { status, code, message, details, headers, suggestions } = refusal;
  if (suggestions.length === 0) return refusal;
  const asked = JSON.stringify(suggestions.slice(0, MOST_ASKED).map(({ kind, oid }, place) => ({ place, kind, oid })));
  const info = { method: "GET", path: "", headers: {} };
  try {
    const [row] = await asIdentity(database, identity, info, (tx) => tx.last<{ place: number }>(SEEN, [asked]), { readOnly: true });
    const hint = row && suggestions[row.place]?.hint;
    return hint === undefined ? refusal : new RestError(status, code, message, { details, headers, hint });
  } catch (error) {
    // The refusal stands without it, whatever keeps the database from saying more.
    if (error instanceof DatabaseError) return refusal;
    throw error;
  }
}

const SEEN = `
select place from json_to_recordset($1::text::json) as asked(place integer, kind text, oid oid)
where case kind
  when 'table' then has_table_privilege(oid, 'select, insert, update, delete') or has_any_column_privilege(oid, 'select, insert, update')
  else has_function_privilege(oid, 'execute') end
order by place limit 1`;
