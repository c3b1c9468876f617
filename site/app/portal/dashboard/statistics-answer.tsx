import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { downloadCsv } from "../lists/csv.ts";
import { CourseFunnelTable } from "./course-funnel.tsx";
import { comparisonText, countText } from "./figures.ts";
import { RankedTable } from "./ranked.tsx";
import type { NamedViews, WebsiteStats } from "./schema.ts";
import { periodName, statisticsCsv } from "./statistics-csv.ts";
import styles from "./statistics.module.css";
import { VisitsChart } from "./visits-chart.tsx";

/** The figures of a period, each with what it means. */
export function StatisticsAnswer({ stats }: { stats: WebsiteStats }) {
  const { periodDays, uniqueVisitors, totalPageViews, mostViewedPages, details } = stats;
  return (
    <div className={styles.answer}>
      <dl className={styles.sums}>
        <Sum
          name="Unique Visitors"
          value={uniqueVisitors}
          comparison={comparisonText(uniqueVisitors, details.before.uniqueVisitors, periodDays)}
        >
          Browsers that opened a page, each once for the whole period however often it came back. Counted exactly; a browser whose cookies
          were deleted counts anew.
        </Sum>
        <Sum
          name="Total Page Views"
          value={totalPageViews}
          comparison={comparisonText(totalPageViews, details.before.totalPageViews, periodDays)}
        >
          Pages opened by visitors. Machines, signed-in staff and people who object are left out
          {details.opt_outs > 0 && ` (${countText(details.opt_outs)} opt-outs)`}. Days are days in London, today included.
        </Sum>
      </dl>
      <VisitsChart days={details.days} />
      <div className={styles.parts}>
        <Part title="Most Viewed Pages" definition="The ten pages opened most in the period.">
          {mostViewedPages.length === 0 ? (
            <p>No course page views recorded yet.</p>
          ) : (
            <RankedTable
              caption="Most viewed pages"
              heading="Page"
              rows={mostViewedPages.map(({ title, page_path, views }) => ({
                key: page_path,
                name: <a href={page_path}>{title}</a>,
                views,
              }))}
            />
          )}
        </Part>
        <Part
          title="From View to Booking"
          definition="Views of a course’s page, enquiries that name the course and bookings taken for it in the same period. Nobody is followed from one to the next."
        >
          <CourseFunnelTable courses={details.funnel} />
        </Part>
        <Part
          title="Where They Came From"
          definition="Views that followed a link on another website, by website. Other views have no such link."
        >
          <Named what="Website" views={details.referrers} none="Nobody followed a link from another website." />
        </Part>
        <Part title="Devices" definition="Views by the kind of device the browser says it runs on.">
          <Named what="Device" views={details.devices} none="No page was viewed." />
        </Part>
      </div>
      <Button look="plain" size="small" onClick={() => downloadCsv(`website-statistics ${periodName(details.days)}`, statisticsCsv(stats))}>
        Export CSV
      </Button>
    </div>
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

function Part({ title, definition, children }: { title: string; definition: string; children: ReactNode }) {
  return (
    <div className={styles.part}>
      <h3>{title}</h3>
      <p className={styles.definition}>{definition}</p>
      {children}
    </div>
  );
}

function Named({ what, views, none }: { what: string; views: readonly NamedViews[]; none: string }) {
  if (views.length === 0) return <p>{none}</p>;
  return (
    <RankedTable caption={`Views by ${what.toLowerCase()}`} heading={what} rows={views.map((entry) => ({ key: entry.name, ...entry }))} />
  );
}
