import type { Project } from "./project.ts";

/** Counts views as they would have been some days ago; older days first. */
export async function countOn(project: Project, daysAgo: number, views: readonly object[]): Promise<void> {
  await project.database.transaction((tx) =>
    tx.query("select private.count_views($1::text::json, 0, (now() at time zone 'Europe/London')::date - $2::integer)", [
      JSON.stringify(views.map((view) => ({ device: "computer", ...view }))),
      daysAgo,
    ]),
  );
}
