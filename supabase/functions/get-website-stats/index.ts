import { courses } from "content/courses/index.ts";
import { z } from "zod";
import { accessTokenOf } from "../_shared/access-token.ts";
import { errorResponse, json, notAuthenticated, preflight } from "../_shared/response.ts";
import { projectClient, type FunctionContext, type ProjectClient } from "../_shared/runtime.ts";
import { pageTitles } from "./page-titles.ts";
import { detailsSchema, sumsSchema } from "./schema.ts";

const DEFAULT_DAYS = 30;

const daysSchema = z.coerce.number().int().min(1).max(365);

/**
 * Returns the statistics of the last `days` (1 to 365, default 30) to staff, read with the caller's own rights. With
 * `include=details` also the details behind the sums, as `details`.
 */
async function getWebsiteStats(request: Request, context: FunctionContext): Promise<Response> {
  if (request.method === "OPTIONS") return preflight();
  if (request.method !== "GET") return errorResponse(405, "method_not_allowed", "Statistics are read with GET.", { Allow: "GET" });

  const accessToken = accessTokenOf(request);
  if (accessToken === undefined) return notAuthenticated();
  const { searchParams } = new URL(request.url);
  const days = daysSchema.safeParse(searchParams.get("days") ?? DEFAULT_DAYS);
  if (!days.success) return errorResponse(400, "invalid_days", "days must be a whole number from 1 to 365.");

  const project = projectClient({ accessToken }, context);
  const [sums, details] = await Promise.all([
    project.rpc("website_stats", { period_days: days.data }),
    searchParams.get("include") === "details" ? readDetails(project, days.data) : undefined,
  ]);
  if (sums.status === 401 || sums.status === 403) return notAuthenticated();
  if (sums.error || details?.error) return errorResponse(503, "stats_unavailable", "The statistics could not be read.");
  return json({
    ...(await withTitles(sumsSchema.parse(sums.data), project)),
    ...(details ? { details: withCourseTitles(detailsSchema.parse(details.data)) } : {}),
  });
}

function readDetails(project: ProjectClient, days: number) {
  return project.rpc("website_stats_details", {
    period_days: days,
    courses: courses.map((course) => ({ page_path: course.link, course_name: course.courseName })),
  });
}

async function withTitles({ mostViewedPages, ...sums }: z.infer<typeof sumsSchema>, project: ProjectClient) {
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
