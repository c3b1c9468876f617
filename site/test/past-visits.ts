import type { Project } from "./project.ts";

export interface PastView {
  page_path: string;
  session_id: string;
  referrer?: string;
}

/** Counts views as they would have been some days ago; older days first. */
export async function countOn(project: Project, daysAgo: number, views: readonly PastView[]): Promise<void> {
  await project.database.transaction((tx) =>
    tx.query(
      `select private.count_views(
        array_agg(v.page_path), array_agg(v.session_id), array_agg('computer'::text),
        array_agg(v.referrer) filter (where v.referrer is not null), 0, (now() at time zone 'Europe/London')::date - $2::integer
      ) from json_to_recordset($1::text::json) as v (page_path text, session_id uuid, referrer text)`,
      [JSON.stringify(views), daysAgo],
    ),
  );
}
