/** The response of get-website-stats with `include=details`. */
export interface WebsiteStats {
  periodDays: number;
  uniqueVisitors: number;
  totalPageViews: number;
  mostViewedPages: ViewedPage[];
  details: StatsDetails;
}

export interface ViewedPage {
  title: string;
  page_path: string;
  views: number;
}

export interface StatsDetails {
  /** Every day of the period, oldest first. */
  days: StatsDay[];
  /** The sums of the same number of days before the period. */
  before: { uniqueVisitors: number; totalPageViews: number };
  opt_outs: number;
  referrers: NamedViews[];
  devices: NamedViews[];
  funnel: CourseFunnel[];
}

export interface StatsDay {
  /** As 2026-11-21. */
  day: string;
  views: number;
  visitors: number;
}

export interface NamedViews {
  name: string;
  views: number;
}

export interface CourseFunnel extends ViewedPage {
  enquiries: number;
  bookings: number;
}

const isViewedPage = shaped<ViewedPage>({ title: isString, page_path: isString, views: isNumber });
const isNamedViews = shaped<NamedViews>({ name: isString, views: isNumber });

const isDetails = shaped<StatsDetails>({
  days: listOf(shaped<StatsDay>({ day: isString, views: isNumber, visitors: isNumber })),
  before: shaped<StatsDetails["before"]>({ uniqueVisitors: isNumber, totalPageViews: isNumber }),
  opt_outs: isNumber,
  referrers: listOf(isNamedViews),
  devices: listOf(isNamedViews),
  funnel: listOf(shaped<CourseFunnel>({ title: isString, page_path: isString, views: isNumber, enquiries: isNumber, bookings: isNumber })),
});

/** True if a response has the shape of the statistics. */
export const isWebsiteStats = shaped<WebsiteStats>({
  periodDays: isNumber,
  uniqueVisitors: isNumber,
  totalPageViews: isNumber,
  mostViewedPages: listOf(isViewedPage),
  details: isDetails,
});

type Check = (value: unknown) => boolean;

function shaped<T extends object>(fields: Record<keyof T, Check>): (value: unknown) => value is T {
  const checks = Object.entries<Check>(fields);
  return (value): value is T =>
    typeof value === "object" && value !== null && checks.every(([name, check]) => check(Reflect.get(value, name)));
}

function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

function isString(value: unknown): boolean {
  return typeof value === "string";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}
