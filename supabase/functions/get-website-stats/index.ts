import { courses } from "content/courses/index.ts";
import { fixedPages, POST_PREFIX } from "content/pages.ts";
import { z } from "zod";
import * as SQLSTATE from "../../../backend/src/sqlstates.ts";
import { accessTokenOf } from "../_shared/access-token.ts";
import { errorResponse, json, notAllowed, notAuthenticated, preflight } from "../_shared/response.ts";
import { projectClient, type FunctionContext } from "../_shared/runtime.ts";

const DEFAULT_DAYS = 30;
const SUMS = "periodDays, uniqueVisitors, totalPageViews, mostViewedPages";

const daysSchema = z.coerce.number().int().min(1).max(365);

const courseNames = new Map<string, string>(courses.map(({ link, courseName }) => [link, courseName]));
const knownPages = fixedPages.map(({ path, title }) => ({ page_path: path, title, course_name: courseNames.get(path) ?? null }));

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

  const { data, error, status } = await projectClient({ accessToken }, context)
    .rpc("website_stats", { period_days: days.data, pages: knownPages, post_prefix: POST_PREFIX })
    .select(searchParams.get("include") === "details" ? "*" : SUMS)
    .single();
  if (error?.code === SQLSTATE.forbidden) return notAllowed("Trainers see no statistics. Ask the office.");
  if (status === 401 || status === 403) return notAuthenticated();
  return error ? errorResponse(503, "stats_unavailable", "The statistics could not be read.") : json(data);
}

export default { fetch: (request: Request, context: FunctionContext = {}) => getWebsiteStats(request, context) };
