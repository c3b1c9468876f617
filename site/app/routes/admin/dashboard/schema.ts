/** What get-website-stats answers. */
export interface WebsiteStats {
  periodDays: number;
  uniqueVisitors: number;
  totalPageViews: number;
  mostViewedPages: ViewedPage[];
}

export interface ViewedPage {
  title: string;
  page_path: string;
  views: number;
}

/** Whether an answer is the statistics it should be. */
export function isWebsiteStats(value: unknown): value is WebsiteStats {
  return (
    isRecord(value) &&
    typeof value["periodDays"] === "number" &&
    typeof value["uniqueVisitors"] === "number" &&
    typeof value["totalPageViews"] === "number" &&
    Array.isArray(value["mostViewedPages"]) &&
    value["mostViewedPages"].every(isViewedPage)
  );
}

function isViewedPage(value: unknown): value is ViewedPage {
  return (
    isRecord(value) && typeof value["title"] === "string" && typeof value["page_path"] === "string" && typeof value["views"] === "number"
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
