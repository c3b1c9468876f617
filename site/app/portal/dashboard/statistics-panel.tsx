import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { downloadCsv } from "../lists/csv.ts";
import { CountTable } from "./count-table.tsx";
import { comparisonText, countText } from "./figures.ts";
import type { NamedViews, WebsiteStats } from "./stats.ts";
import { periodName, statisticsCsv } from "./statistics-csv.ts";
import styles from "./statistics.module.css";
import { VisitsChart } from "./visits-chart.tsx";

/** The statistics of a period, each figure with its definition. */
export function StatisticsPanel({ stats }: { stats: WebsiteStats }) {
  const { periodDays, uniqueVisitors, totalPageViews, mostViewedPages, details } = stats;
  const courses = details.funnel.filter(({ views, enquiries, bookings }) => views + enquiries + bookings > 0);
  return (
    <div className={styles.answer}>
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
      <VisitsChart days={details.days} />
      <div className={styles.parts}>
        <Part title="Most Viewed Pages" definition="The ten pages with the most views.">
          {mostViewedPages.length === 0 ? (
            <p>No course page views recorded yet.</p>
          ) : (
            <CountTable
              caption="Most viewed pages"
              headings={["Page", "Views"]}
              rows={mostViewedPages.map(({ title, page_path, views }) => ({
                key: page_path,
                name: <a href={page_path}>{title}</a>,
                counts: [views],
              }))}
              bars
            />
          )}
        </Part>
        <Part
          title="From view to booking"
          definition="Views of a course’s page, enquiries about the course and bookings of it in the same period. Individual visitors are not tracked."
        >
          {courses.length === 0 ? (
            <p>No course was viewed, enquired about or booked.</p>
          ) : (
            <CountTable
              caption="From view to booking"
              headings={["Course", "Views", "Enquiries", "Bookings"]}
              rows={courses.map(({ title, page_path, views, enquiries, bookings }) => ({
                key: page_path,
                name: <a href={page_path}>{title}</a>,
                counts: [views, enquiries, bookings],
              }))}
            />
          )}
        </Part>
        <Part title="Where they came from" definition="Views after a link on another website was followed.">
          <Named what="Website" views={details.referrers} none="No visits from other websites." />
        </Part>
        <Part title="Devices" definition="Views by the kind of device.">
          <Named what="Device" views={details.devices} none="No page views." />
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
    <CountTable
      caption={`Views by ${what.toLowerCase()}`}
      headings={[what, "Views"]}
      rows={views.map(({ name, views: count }) => ({ key: name, name, counts: [count] }))}
      bars
    />
  );
}
