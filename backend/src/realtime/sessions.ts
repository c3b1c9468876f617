import type { Database } from "../db/database.ts";

// A session that is not stored has ended, also that of a token which something else than the auth API signed.
const ENDED = `select given.id from jsonb_array_elements_text($1::text::jsonb) as given (id)
  left join auth.sessions s on s.id = given.id::uuid
  where s.id is null or s.not_after <= now()`;

/** Finds which of these sessions have ended: by a sign-out, by removal or by their age. */
export async function findEndedSessions(database: Database, ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  if (ids.size === 0) return new Set();
  const read = { readOnly: true };
  const rows = await database.transaction((tx) => tx.last<{ id: string }>(ENDED, [JSON.stringify([...ids])]), read);
  return new Set(rows.map(({ id }) => id));
}
