import { z } from "zod";
import { json, preflight, refusal } from "../_shared/answer.ts";
import { projectClient, type FunctionContext } from "../_shared/runtime.ts";
import { pageTitles } from "./page-titles.ts";

const DEFAULT_DAYS = 30;

const daysSchema = z.coerce.number().int().min(1).max(365);

const sumsSchema = z.object({
  periodDays: z.number(),
  uniqueVisitors: z.number(),
  totalPageViews: z.number(),
  mostViewedPages: z.array(z.object({ page_path: z.string(), views: z.number() })),
});

/** Answers staff with the visits of the last `days` (1 to 365, 30 unless told), read with the caller's own rights. */
async function getWebsiteStats(request: Request, context: FunctionContext): Promise<Response> {
  if (request.method === "OPTIONS") return preflight();
  if (request.method !== "GET") return refusal(405, "method_not_allowed", "Statistics are read with GET.", { Allow: "GET" });

  const accessToken = /^bearer\s+(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  // A JWT has three parts; the opaque keys a visitor sends as bearer have none.
  if (accessToken?.split(".").length !== 3) return refusal(401, "not_authenticated", "Not authenticated");
  const days = daysSchema.safeParse(new URL(request.url).searchParams.get("days") ?? DEFAULT_DAYS);
  if (!days.success) return refusal(400, "invalid_days", "days must be a whole number from 1 to 365.");

  const project = projectClient({ accessToken }, context);
  const { data, error, status } = await project.rpc("website_stats", { period_days: days.data });
  if (status === 401 || status === 403) return refusal(401, "not_authenticated", "Not authenticated");
  if (error) return refusal(503, "stats_unavailable", "The statistics could not be read.");

  const sums = sumsSchema.parse(data);
  const titles = await pageTitles(
    sums.mostViewedPages.map((page) => page.page_path),
    project,
  );
  return json({
    ...sums,
    mostViewedPages: sums.mostViewedPages.map(({ page_path, views }) => ({ title: titles.get(page_path) ?? page_path, page_path, views })),
  });
}

export default { fetch: (request: Request, context: FunctionContext = {}) => getWebsiteStats(request, context) };
