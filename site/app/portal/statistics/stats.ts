import { FunctionsHttpError } from "@supabase/supabase-js";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";

/** The response of get-website-stats with `include=details`, which the function validates. */
export interface WebsiteStats {
  periodDays: number;
  uniqueVisitors: number;
  totalPageViews: number;
  mostViewedPages: ViewedPage[];
  details: StatsDetails;
}

interface ViewedPage {
  title: string;
  page_path: string;
  views: number;
}

interface StatsDetails {
  /** Every day of the period, oldest first. */
  days: StatsDay[];
  /** The sums of the same number of days before the period. */
  before: { uniqueVisitors: number; totalPageViews: number };
  opt_outs: number;
  referrers: NamedViews[];
  devices: NamedViews[];
  funnel: (ViewedPage & { enquiries: number; places: number })[];
}

export interface StatsDay {
  /** An ISO date. */
  day: string;
  views: number;
  visitors: number;
}

interface NamedViews {
  name: string;
  views: number;
}

export type StatsResult = { ok: true; stats: WebsiteStats } | { ok: false; message: string };

/** Fetches the statistics of the last `days` days. */
export async function fetchStats(supabase: BrowserSupabase, days: number): Promise<StatsResult> {
  const { data: stored } = await supabase.auth.getSession();
  if (!stored.session) return { ok: false, message: "Not authenticated" };
  const name = `get-website-stats?include=details&days=${days}`;
  const { data, error } = await supabase.functions.invoke<WebsiteStats>(name, { method: "GET" });
  if (data) return { ok: true, stats: data };
  const response: unknown = error instanceof FunctionsHttpError ? error.context : null;
  // HTTP/2 has no status text.
  const why = response instanceof Response ? response.statusText || response.status : "the service could not be reached";
  return { ok: false, message: `Failed to fetch website stats: ${why}` };
}
