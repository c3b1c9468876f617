import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { londonDate, londonMoment } from "../../time/london-date.ts";
import { addDays, fromLondonTime } from "../../time/london-time.ts";
import type { Loaded } from "../frame/outcome.ts";
import { listPeople, type StaffAccount } from "../lists/people.ts";
import { readList } from "../lists/read-list.ts";
import { MACHINES, type Change, type ChangeScope, type Values } from "./change.ts";

/** The number of changes on one page. */
export const MOST_CHANGES = 200;

type ReadChange = Omit<Change, "id" | "about" | "before" | "after" | "names"> & {
  id: number;
  about: unknown;
  before: unknown;
  after: unknown;
};

/** Lists the changes of a scope, the latest first. */
export async function listChanges(
  supabase: BrowserSupabase,
  scope: ChangeScope,
  people: Promise<Loaded<StaffAccount>> = listPeople(supabase),
): Promise<Loaded<Change>> {
  const result = await readList(
    "changes",
    (from, to) => {
      let query = supabase
        .from("changes")
        .select("id, at, kind, record_id, act, actor, actor_email, columns, about, before, after")
        .order("at", { ascending: false })
        .order("id", { ascending: false })
        .range(from, to);
      const [begin, end] = [edgeOfDay(scope.from, "begin"), edgeOfDay(scope.to, "end")];
      if (scope.kind !== "") query = query.eq("kind", scope.kind);
      if (scope.who !== "") query = scope.who in MACHINES ? query.eq("actor", scope.who) : query.eq("actor_email", scope.who);
      if (scope.record !== "") query = query.eq("record_id", scope.record);
      if (scope.before !== "") query = query.lt("at", scope.before);
      if (begin !== null) query = query.gte("at", begin);
      if (end !== null) query = query.lt("at", end);
      return query;
    },
    MOST_CHANGES,
  );
  if (!result.ok) return result;
  const staff = await people;
  if (!staff.ok) return staff;
  const accounts = staff.rows.map(({ id, name, email }) => [id, name || email] as const);
  const names = new Map([...(await datesInWords(supabase, result.rows)), ...accounts]);
  return { ok: true, rows: result.rows.map((row) => toChange(row, names)) };
}

/** Returns the instant at which a London day begins or ends, as ISO text; null if the text is no day. */
export function edgeOfDay(day: string, edge: "begin" | "end"): string | null {
  const begin = fromLondonTime(`${day}T00:00`);
  if (!begin || edge === "begin") return begin?.toISOString() ?? null;
  return fromLondonTime(`${addDays(day, 1)}T00:00`)?.toISOString() ?? null;
}

/** Returns the course dates named by changes of bookings, in words by id; deleted ones as the change log names them. */
async function datesInWords(
  supabase: BrowserSupabase,
  rows: readonly Pick<ReadChange, "before" | "after">[],
): Promise<ReadonlyMap<string, string>> {
  const values = rows.flatMap(({ before, after }) => [asValues(before), asValues(after)]);
  const ids = values.map((each) => each?.["course_id"]).filter((id) => typeof id === "string");
  if (ids.length === 0) return new Map();
  const unique = [...new Set(ids)];
  const { data } = await supabase.from("course_dates").select("id, course_name, course_date").in("id", unique);
  const words = new Map((data ?? []).map(({ id, course_name, course_date }) => [id, startInWords(course_name, course_date)]));
  const deleted = unique.filter((id) => !words.has(id));
  if (deleted.length === 0) return words;
  const deletions = await supabase.from("changes").select("record_id, about").eq("act", "delete").in("record_id", deleted).order("id");
  for (const { record_id, about } of deletions.data ?? []) {
    const { course_name, course_date } = asValues(about) ?? {};
    if (typeof course_name === "string" && typeof course_date === "string")
      words.set(record_id, `${startInWords(course_name, course_date)} (deleted)`);
  }
  return words;
}

/** "Manual Handling, 1 Jul 2030, 09:00" */
function startInWords(courseName: string, start: string): string {
  return `${courseName}, ${londonMoment(londonDate(start))}`;
}

function toChange({ id, about, before, after, ...rest }: ReadChange, names: Change["names"]): Change {
  return { ...rest, id: String(id), about: asValues(about), before: asValues(before), after: asValues(after), names };
}

function asValues(json: unknown): Values | null {
  return typeof json === "object" && json !== null && !Array.isArray(json) ? Object.fromEntries(Object.entries(json)) : null;
}
