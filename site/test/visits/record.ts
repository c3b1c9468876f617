import { noon, setClock } from "../support/clock.ts";
import type { Project } from "../support/project.ts";

interface RecordedView {
  page_path: string;
  session_id: string;
  device?: string;
  referrer?: string;
  network?: string;
}

/** Records page views as the function does, at noon some days ago; returns the outcomes. Leaves the clock at noon today. */
export async function recordViews(project: Project, views: readonly RecordedView[], daysAgo = 0): Promise<string[]> {
  await setClock(project, noon(daysAgo));
  const { data, error } = await project.service.rpc("record_page_views", { views: views.map((view) => ({ device: "computer", ...view })) });
  await setClock(project, noon());
  if (error) throw error;
  return data;
}
