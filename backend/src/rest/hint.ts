import { OverBudgetError } from "../anonymous/database-budget.ts";
import { DatabaseError } from "../db/database.ts";
import type { AsCaller, Caller } from "./as-caller.ts";
import { RestError } from "./errors.ts";

const MAX_SUGGESTIONS = 5;

/** Adds to an error the hint of its first suggestion on which the caller has privileges (decision 022). */
export async function withHint(error: RestError, asCaller: AsCaller, caller: Caller): Promise<RestError> {
  const { status, code, message, details, headers, suggestions } = error;
  if (suggestions.length === 0) return error;
  const suggested = JSON.stringify(suggestions.slice(0, MAX_SUGGESTIONS).map(({ kind, oid }, index) => ({ index, kind, oid })));
  const info = { method: "GET", path: "", headers: {} };
  try {
    const [row] = await asCaller(caller, info, (tx) => tx.last<{ index: number }>(FIRST_VISIBLE, [suggested]), { readOnly: true });
    const hint = row && suggestions[row.index]?.hint;
    return hint === undefined ? error : new RestError(status, code, message, { details, headers, hint });
  } catch (failure) {
    // If the database fails or has no time for the caller, the error is sent without a hint.
    if (failure instanceof DatabaseError || failure instanceof OverBudgetError) return error;
    throw failure;
  }
}

const FIRST_VISIBLE = `
select index from json_to_recordset($1::text::json) as suggested(index integer, kind text, oid oid)
where case kind
  when 'table' then has_table_privilege(oid, 'select, insert, update, delete') or has_any_column_privilege(oid, 'select, insert, update')
  else has_function_privilege(oid, 'execute') end
order by index limit 1`;
