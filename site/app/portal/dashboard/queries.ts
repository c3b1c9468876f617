import { publishableKey, type BrowserSupabase } from "../../supabase/supabase.client.ts";
import { isWebsiteStats, type WebsiteStats } from "./schema.ts";

export type StatsAnswer = { ok: true; stats: WebsiteStats } | { ok: false; message: string };

/** Fetches the statistics of the last `days` days from the function get-website-stats. */
export async function fetchStats(supabase: BrowserSupabase, days: number): Promise<StatsAnswer> {
  const { data } = await supabase.auth.getSession();
  if (!data.session) return { ok: false, message: "Not authenticated" };
  try {
    const response = await fetch(`/functions/v1/get-website-stats?include=details&days=${days}`, {
      headers: { apikey: publishableKey(), Authorization: `Bearer ${data.session.access_token}` },
    });
    if (!response.ok) return failed(statusText(response));
    const stats: unknown = await response.json();
    return isWebsiteStats(stats) ? { ok: true, stats } : failed("the response is not valid");
  } catch (error) {
    reportError(error);
    return failed("the service could not be reached");
  }
}

/** The status text of a response, or its number, because HTTP/2 has no status text. */
export function statusText({ status, statusText: text }: Pick<Response, "status" | "statusText">): string {
  return text === "" ? String(status) : text;
}

function failed(why: string): StatsAnswer {
  return { ok: false, message: `Failed to fetch website stats: ${why}` };
}
