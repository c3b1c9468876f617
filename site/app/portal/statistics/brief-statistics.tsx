import type { ReactNode } from "react";
import { CountTable, type CountTableProps } from "./count-table.tsx";
import { comparisonText, countText } from "./figures.ts";
import type { WebsiteStats } from "./stats.ts";
import styles from "./statistics.module.css";

interface StatisticsProps {
  stats: WebsiteStats;
}

/** The sums of a period and the most viewed pages. */
export function BriefStatistics({ stats }: StatisticsProps) {
  return (
    <div className={styles.brief}>
      <Sums stats={stats} />
      <MostViewedPages stats={stats} />
    </div>
  );
}

/** The sums of a period, each with its definition. */
export function Sums({ stats: { periodDays, uniqueVisitors, totalPageViews, details } }: StatisticsProps) {
  return (
    <dl className={styles.sums}>
      <Sum
        name="Unique Visitors"
        value={uniqueVisitors}
        comparison={comparisonText(uniqueVisitors, details.before.uniqueVisitors, periodDays)}
      >
        Browsers that opened a page; each counts once in the period. A browser counts again after its cookies were deleted.
      </Sum>
      <Sum
        name="Total Page Views"
        value={totalPageViews}
        comparison={comparisonText(totalPageViews, details.before.totalPageViews, periodDays)}
      >
        Pages opened by visitors. Robots, signed-in staff and visitors who opted out are not counted
        {details.opt_outs > 0 && ` (${countText(details.opt_outs)} ${details.opt_outs === 1 ? "opt-out" : "opt-outs"})`}. Days are London
        days and include today.
      </Sum>
    </dl>
  );
}

export function MostViewedPages({ stats: { mostViewedPages } }: StatisticsProps) {
  return (
    <Part
      title="Most Viewed Pages"
      definition="The ten pages with the most views."
      none="No course page views recorded yet."
      headings={["Page", "Views"]}
      rows={mostViewedPages.map((page) => pageRow(page, [page.views]))}
      bars
    />
  );
}

function Sum({ name, value, comparison, children }: { name: string; value: number; comparison: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={styles.figure}>{countText(value)}</dd>
      <dd className={styles.comparison}>{comparison}</dd>
      <dd className={styles.definition}>{children}</dd>
    </div>
  );
}

interface PartProps extends Omit<CountTableProps, "caption"> {
  title: string;
  definition: string;
  /** Shown if there are no rows. */
  none: string;
}

/** A table of the statistics with its definition. */
export function Part({ title, definition, none, ...table }: PartProps) {
  return (
    <div className={styles.part}>
      <h3>{title}</h3>
      <p className={styles.definition}>{definition}</p>
      {table.rows.length === 0 ? <p>{none}</p> : <CountTable caption={title} {...table} />}
    </div>
  );
}

/** The row of a page with a link to it. */
export function pageRow({ title, page_path }: { title: string; page_path: string }, counts: number[]) {
  return { key: page_path, name: <a href={page_path}>{title}</a>, counts };
}
