import { summarise } from "../../supabase/functions/record-page-view/summary.ts";
import type { Project } from "./project.ts";

export interface PastView {
  page_path: string;
  session_id: string;
  referrer?: string;
}

const SUMS = "array(select s from json_populate_recordset(null::private.view_sum, $1::text::json) s)";
const SESSIONS = "array(select json_array_elements_text($2::text::json)::uuid)";
const DAY = "(now() at time zone 'Europe/London')::date - $3::integer";

/** Counts views as they would have been some days ago, and before them what lies aside; older days first. */
export function countOn(project: Project, daysAgo: number, views: readonly PastView[]): Promise<void> {
  return write(project, `select private.count_views(${SUMS}, ${SESSIONS}, ${DAY})`, daysAgo, views);
}

/** Puts views aside as a crowd's would have been some days ago. */
export function putAsideOn(project: Project, daysAgo: number, views: readonly PastView[]): Promise<void> {
  const place = "(select place from private.views_aside where day is null limit 1)";
  return write(
    project,
    `update private.views_aside set sums = ${SUMS}, sessions = ${SESSIONS}, day = ${DAY} where place = ${place}`,
    daysAgo,
    views,
  );
}

async function write(project: Project, statement: string, daysAgo: number, views: readonly PastView[]): Promise<void> {
  const { sums, sessions } = summarise(
    views.map((view) => ({ ...view, device: "computer" })),
    0,
  );
  await project.database.transaction((tx) => tx.query(statement, [JSON.stringify(sums), JSON.stringify(sessions), daysAgo]));
}
