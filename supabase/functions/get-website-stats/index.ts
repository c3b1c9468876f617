import type { SupabaseClient } from "@supabase/supabase-js";
import { courses } from "content/courses/index.ts";
import { z } from "zod";
import type { Database } from "../../database.types.ts";
import { json, preflight, refusal } from "../_shared/answer.ts";
import { projectClient, type FunctionContext } from "../_shared/runtime.ts";
import { pageTitles } from "./page-titles.ts";
import { detailsSchema, sumsSchema } from "./sums.ts";

const DEFAULT_DAYS = 30;

const daysSchema = z.coerce.number().int().min(1).max(365);

/**
 * Answers staff with the visits of the last `days` (1 to 365, 30 unless told), read with the caller's own rights; with
 * `include=details` also with what lies behind them, under `details`.
 */
async function getWebsiteStats(request: Request, context: FunctionContext): Promise<Response> {
  if (request.method === "OPTIONS") return preflight();
  if (request.method !== "GET") return refusal(405, "method_not_allowed", "Statistics are read with GET.", { Allow: "GET" });

  const accessToken = /^bearer\s+(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  // A JWT has three parts; the opaque keys a visitor sends as bearer have none.
  if (accessToken?.split(".").length !== 3) return refusal(401, "not_authenticated", "Not authenticated");
  const { searchParams } = new URL(request.url);
  const days = daysSchema.safeParse(searchParams.get("days") ?? DEFAULT_DAYS);
  if (!days.success) return refusal(400, "invalid_days", "days must be a whole number from 1 to 365.");

  const project = projectClient({ accessToken }, context);
  const [sums, details] = await Promise.all([
    project.rpc("website_stats", { period_days: days.data }),
    searchParams.get("include") === "details" ? readDetails(project, days.data) : undefined,
  ]);
  if (sums.status === 401 || sums.status === 403) return refusal(401, "not_authenticated", "Not authenticated");
  if (sums.error || details?.error) return refusal(503, "stats_unavailable", "The statistics could not be read.");
  return json({
    ...(await withTitles(sumsSchema.parse(sums.data), project)),
    ...(details ? { details: withCourseTitles(detailsSchema.parse(details.data)) } : {}),
  });
}

function readDetails(project: SupabaseClient<Database>, days: number) {
  const asked = courses.map((course) => ({ page_path: course.link, course_name: course.courseName }));
  return project.rpc("website_stats_details", { period_days: days, courses: asked });
}

async function withTitles({ mostViewedPages, ...sums }: z.infer<typeof sumsSchema>, project: SupabaseClient<Database>) {
  const titles = await pageTitles(
    mostViewedPages.map((page) => page.page_path),
    project,
  );
  return {
    ...sums,
    mostViewedPages: mostViewedPages.map(({ page_path, views }) => ({ title: titles.get(page_path) ?? page_path, page_path, views })),
  };
}

function withCourseTitles({ funnel, ...details }: z.infer<typeof detailsSchema>) {
  const titles = new Map<string, string>(courses.map((course) => [course.link, course.title]));
  return { ...details, funnel: funnel.map((course) => ({ title: titles.get(course.page_path) ?? course.page_path, ...course })) };
}

export default { fetch: (request: Request, context: FunctionContext = {}) => getWebsiteStats(request, context) };
