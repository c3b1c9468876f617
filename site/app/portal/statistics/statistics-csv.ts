import { csvOf } from "../lists/csv/csv-file.ts";
import type { WebsiteStats } from "./stats.ts";

const COLUMNS = ["section", "name", "path", "views", "visitors", "enquiries", "places"] as const;

type Line = Partial<Record<(typeof COLUMNS)[number], string | number>>;

const columns = COLUMNS.map((heading) => ({ heading, cell: (line: Line) => line[heading] ?? null }));

/** Writes all figures as one CSV table (RFC 4180) with a column for the section. */
export function statisticsCsv({ uniqueVisitors, totalPageViews, mostViewedPages, details }: WebsiteStats): string {
  const lines: Line[] = [
    { section: "period", name: periodName(details.days), views: totalPageViews, visitors: uniqueVisitors },
    { section: "period before", views: details.before.totalPageViews, visitors: details.before.uniqueVisitors },
    ...details.days.map(({ day, views, visitors }) => ({ section: "day", name: day, views, visitors })),
    ...mostViewedPages.map(({ title, page_path, views }) => ({ section: "page", name: title, path: page_path, views })),
    ...details.funnel.map(({ title, page_path, ...counts }) => ({ section: "course", name: title, path: page_path, ...counts })),
    ...details.referrers.map((referrer) => ({ section: "referrer", ...referrer })),
    ...details.devices.map((device) => ({ section: "device", ...device })),
    { section: "not counted: opt-outs", views: details.opt_outs },
  ];
  return csvOf(columns, lines);
}

/** Formats the first and the last day for a file name. */
export function periodName(days: readonly { day: string }[]): string {
  return `${days[0]?.day} to ${days.at(-1)?.day}`;
}
